import type { JSX } from 'preact'
import { written } from '../../parts/numbers.ts'
import { type BuiltContext, messagesOfType } from './shown-request.ts'
import { tokenKinds } from './token-kinds.ts'

interface TriedLedgerProps {
  readonly tried: BuiltContext
  /** With the settings of the newest request that was sent. */
  readonly usual: BuiltContext
  readonly onReset: () => void
}

/** Two requests side by side: as the program builds them, and with the settings that somebody tries. */
export function TriedLedger({ tried, usual, onReset }: TriedLedgerProps): JSX.Element {
  const both = [usual.receipt, tried.receipt] as const
  const rows: readonly (readonly [name: string, usual: number, tried: number])[] = [
    ...tokenKinds.map(([kind, name]) => row(name, ({ tokens }) => Number(tokens[kind]))),
    row('Total tokens', ({ tokens }) => tokens.total),
    row('Messages in full', ({ lines }) => messagesOfType(lines, 'kept')),
    row('Messages in folds', ({ lines }) => messagesOfType(lines, 'folded')),
    row('Messages left out', ({ lines }) => messagesOfType(lines, 'left-out')),
  ]
  function row(name: string, read: (receipt: BuiltContext['receipt']) => number): readonly [string, number, number] {
    return [name, read(both[0]), read(both[1])]
  }
  return (
    <section class="card tried" aria-label="Settings that you try">
      <h2>
        <span class="grow">Dry run, nothing is stored</span>
        <button type="button" class="btn is-small" onClick={onReset}>
          Back to the usual
        </button>
      </h2>
      <table class="ledger">
        <thead>
          <tr>
            <th scope="col"> </th>
            <th scope="col" class="num">
              usual
            </th>
            <th scope="col" class="num">
              tried
            </th>
          </tr>
        </thead>
        <tbody>
          {rows
            .filter(([, before, after]) => before !== 0 || after !== 0)
            .map(([name, before, after]) => (
              <tr key={name} class={name === 'Total tokens' ? 'total' : ''}>
                <td>{name}</td>
                <td class="num">{written.number(before)}</td>
                <td class="num">{before === after ? '=' : written.number(after)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  )
}
