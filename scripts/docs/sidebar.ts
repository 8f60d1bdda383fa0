/** The pages of the site in their order: groups of files without `.md`. A page that is in no group is listed last. */
export const sidebar: readonly (readonly [group: string, pages: readonly string[]])[] = [
  ['Begin', ['index', 'start', 'concepts', 'coming-from', 'limits']],
  [
    'In your agent',
    [
      'agent-loop',
      'hosts',
      'models',
      'contexts',
      'blocks',
      'records',
      'recall',
      'facts',
      'long-term-memory',
      'state',
      'records',
      'dialects',
      'mcp',
      'mem0',
      'testing',
    ],
  ],
  ['In production', ['server', 'inspector', 'postgres', 'tenants', 'backup', 'encryption', 'scale', 'platforms']],
  ['Data', ['deletion', 'forget', 'archive', 'doctor']],
  ['Reference', ['cli', 'reference/api', 'reference/options', 'reference/http', 'errors', 'dependencies']],
]
