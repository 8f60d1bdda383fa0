export const calibrationStatements: Readonly<Record<'read' | 'write', string>> = {
  read: `SELECT value AS "value" FROM calibrations WHERE scope = ? AND model = ? AND tokenizer = ?`,
  write: `INSERT INTO calibrations (scope, model, tokenizer, value) VALUES (?, ?, ?, ?)
    ON CONFLICT (scope, model, tokenizer) DO UPDATE SET value = excluded.value, row_digest = NULL`,
}
