import type { NewMessage } from '../../../src/domain/new-message.ts'

export function recalledBlock(text: string): string {
  return `<long_term_memory nonce="4f1c">\n[{"text":"${text}"}] ${text}\n</long_term_memory>`
}

export const RECALLED_MESSAGE: NewMessage = {
  role: 'user',
  id: 'recalled',
  content: 'My name is Eve.',
  metadata: { daybook: 'recalled' },
}
