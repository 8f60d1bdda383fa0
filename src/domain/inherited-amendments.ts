/**
 * What an ancestor's amendments mean for a fork that shares its history up to `through`: they concern the shared
 * messages only. The ancestor's later messages have the same numbers as the fork's own and are not the fork's business.
 */
export function inheritedAmendments<Row extends { readonly kind: string; readonly seq: number }>(
  rows: readonly Row[],
  through: number,
): readonly Row[] {
  return rows.flatMap((row) => {
    if (row.seq <= through) return [row]
    return row.kind.startsWith('clear') ? [{ ...row, seq: through }] : []
  })
}
