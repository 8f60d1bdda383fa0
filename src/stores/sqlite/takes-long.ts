/** Thrown by a write that has run more statements than may run at once. What it wrote is rolled back, and it runs again in turns. */
export class TakesLong extends Error {}
