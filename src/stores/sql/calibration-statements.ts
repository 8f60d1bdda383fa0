export const calibrationStatements: Readonly<Record<'read' | 'write', string>> = {
  read: `SELECT value AS "value" FROM calibrations WHERE model = ? AND tokenizer = ?`,
  write: `INSERT INTO calibrations (model, tokenizer, value) VALUES (?, ?, ?)
    ON CONFLICT (model, tokenizer) DO UPDATE SET value = excluded.value`,
}
