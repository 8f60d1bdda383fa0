import { visibleJSON } from '../domain/visible-json.ts'
import { factOperations } from '../surface/facts.ts'
import { inputFrom } from './input-from.ts'
import type { LongTermScope } from './long-term-scope.ts'
import type { Tool } from '../api/tool.ts'
import { textField } from './tool-input.ts'

/** Takes a fact back. A person can restore it, so an agent may have this tool where it must not destroy anything. */
export function retractTool({ scope }: { readonly scope: Pick<LongTermScope, 'retract'> }): Tool {
  return {
    name: 'retract',
    description:
      'Take back a fact that is wrong or no longer true, by the id that is shown with it. It is no longer used.',
    inputSchema: inputFrom(factOperations.retract, ['id', 'reason']),
    async execute(input) {
      const [id, reason] = [textField(input, 'id'), textField(input, 'reason')]
      if (id === '') return 'Nothing was retracted: id is empty, expected the id of a fact.'
      const { text } = await scope.retract(id, reason === '' ? undefined : reason, { channel: 'agent' })
      return `Retracted: ${visibleJSON({ id, text })}`
    },
  }
}
