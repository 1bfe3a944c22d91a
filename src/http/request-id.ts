// Ids of requests: unique among processes and their restarts.

const start = `${process.pid.toString(36)}-${Date.now().toString(36)}-`;
let requests = 0;

export const requestId = (): string => start + (requests++).toString(36);
