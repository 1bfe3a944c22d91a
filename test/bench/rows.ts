// The rows of the benchmark, in the order in which they are measured. 16 and 24 are figures without a target.
import type { Row } from './row.ts';
import { saveToStream } from './rows/changes-stream.ts';
import { changesRead } from './rows/changes-read.ts';
import { readsDuringUpload, savesDuringUpload } from './rows/during-upload.ts';
import { eventLoopStall } from './rows/event-loop-stall.ts';
import { firstRead } from './rows/first-read.ts';
import { firstUpload } from './rows/first-upload.ts';
import { calendarList } from './rows/list.ts';
import { memory } from './rows/memory.ts';
import { pageWeight } from './rows/page-weight.ts';
import { notModified, oneUnit, unitPage, wholeDocument } from './rows/public-reads.ts';
import { fanOut } from './rows/fan-out.ts';
import { pushToPaint } from './rows/push-to-paint.ts';
import { changedUpload, unchangedUpload } from './rows/repeated-upload.ts';
import { saveToEvent } from './rows/save-to-event.ts';
import { firstRender } from './rows/first-render.ts';
import { readsDuringSignIns, readsUnderAttack, savesUnderAttack } from './rows/under-attack.ts';
import { spectators } from './rows/spectators.ts';
import { unitSave } from './rows/unit-save.ts';

export const ROWS: Row[] = [
  firstUpload,
  unchangedUpload,
  changedUpload,
  eventLoopStall,
  wholeDocument,
  notModified,
  firstRead,
  oneUnit,
  calendarList,
  unitSave,
  saveToEvent,
  memory,
  readsDuringUpload,
  savesDuringUpload,
  unitPage,
  firstRender,
  pushToPaint,
  pageWeight,
  changesRead,
  saveToStream,
  spectators,
  fanOut,
  readsUnderAttack,
  savesUnderAttack,
  readsDuringSignIns,
];
