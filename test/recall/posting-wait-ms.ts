/** Stands for the 50 ms of `src/recall/posting-wait-ms.ts` in tests: longer than any of them posts. */
export const POSTING_WAIT_MS = 600_000
