/** Where the rows of the chart are, in pixels from its upper end. All of them share one axis of turns. */
export const chartRows = {
  /** The triangles of compactions. */
  marks: 12,
  tokens: { top: 14, height: 230 },
  cached: { top: 268, height: 44 },
  cost: { top: 332, height: 44 },
  height: 377,
  width: 1_000,
} as const
