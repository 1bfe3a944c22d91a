// A process that does nothing, for as long as it is let: how long it stands still is the machine's doing.
const HOUR_MS = 3_600_000;
setInterval(() => {}, HOUR_MS);
