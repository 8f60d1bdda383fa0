import type { ProgramStep } from '../sql/program.ts'
import type { Connection } from './connection.ts'

export function runStep(connection: Connection, { text, values, gives }: ProgramStep): unknown {
  if (gives === 'lists') return connection.listing(text).all(...values)
  const statement = connection.statement(text)
  return gives === 'rows' ? statement.all(...values) : statement.run(...values).changes
}
