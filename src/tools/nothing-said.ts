/** What an agent reads where its host does not store the conversation, as most MCP hosts do not. */
export const NOTHING_SAID =
  'No messages of this conversation are stored here. Use retrieve_from_memory to find what is known from other conversations, and record_to_memory to store what matters later.'
