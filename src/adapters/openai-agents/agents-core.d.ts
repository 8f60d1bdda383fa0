/**
 * The part of the host that is used here. The host is installed by its users, and by the tests that run against it; what is published
 * names the types of the real package.
 */
declare module '@openai/agents-core' {
  export type AgentInputItem = { type?: string; [field: string]: unknown }
  export class RunContext<Context = unknown> {
    context: Context
  }
}
