// A progress bar for people who wait at a terminal; anywhere else nothing is shown.
import { SingleBar } from 'cli-progress';

export type Progress = {
  /** Begins a stage of so many steps; without a number only its name is shown. */
  stage(name: string, total?: number): void;
  /** So many steps of the stage are done. */
  reach(steps: number): void;
  /** Takes the bar away, before anything else is printed. */
  end(): void;
};

const SILENT: Progress = { stage: () => {}, reach: () => {}, end: () => {} };

export function createProgress(terminal: NodeJS.WritableStream | undefined): Progress {
  if (!terminal) return SILENT;
  const bar = new SingleBar({
    stream: terminal,
    format: '{bar} {percentage}% {stage}',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    clearOnComplete: true,
    // The work between two steps may leave no time for a timer.
    forceRedraw: true,
  });
  const redraw = () => bar.render();
  bar.start(1, 0, { stage: '' });
  return {
    stage: (stage, total = 1) => {
      bar.setTotal(total);
      bar.update(0, { stage });
      redraw();
    },
    reach: (steps) => {
      bar.update(steps);
      redraw();
    },
    end: () => {
      bar.stop();
    },
  };
}
