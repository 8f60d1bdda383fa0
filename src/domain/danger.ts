/** What makes a PostgreSQL server or role unfit for a memory. */
export const dangers = [
  'fsync-off', // a power cut of the server loses or damages what was acknowledged
  'full-page-writes-off', // a power cut can damage the data
  'encoding', // not UTF8: texts would come back changed
  'superuser', // row security does not apply to the role
  'bypass-row-security', // row security does not apply to the role
] as const

export type Danger = (typeof dangers)[number]
