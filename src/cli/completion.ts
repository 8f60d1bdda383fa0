import type { Command } from 'commander'

export const shells = ['bash', 'zsh', 'fish'] as const

interface Words {
  readonly name: string
  readonly summary: string
  readonly options: readonly { readonly flag: string; readonly summary: string; readonly file: boolean }[]
}

/** A script that completes commands and options, made from the commands themselves. */
export function completionScript(program: Command, shell: (typeof shells)[number]): string {
  const commands = program.commands.map((command): Words => {
    const options = command.options.flatMap(({ long, description, flags, hidden }) =>
      long == null || hidden
        ? []
        : [{ flag: long, summary: description, file: /<(file|path|directory)>/.test(flags) && long !== '--scope' }],
    )
    return {
      name: command.name(),
      summary: command.description(),
      options: [...options, { flag: '--help', summary: 'display help for command', file: false }],
    }
  })
  return { bash, zsh, fish }[shell](commands)
}

function bash(commands: readonly Words[]): string {
  const cases = commands.map(
    ({ name, options }) => `    ${name}) words="${options.map(({ flag }) => flag).join(' ')}" ;;`,
  )
  return `# daybook completion for bash: source <(daybook completion bash)
_daybook() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')} help" -- "$current"))
    return
  fi
  case "$previous" in
    ${fileFlags(commands).join('|')}|-m) COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _daybook daybook
`
}

function zsh(commands: readonly Words[]): string {
  const quoted = (text: string): string => text.replaceAll("'", "'\\''").replaceAll(/[[\]:]/g, String.raw`\$&`)
  const names = commands.map(({ name, summary }) => `    '${name}:${quoted(summary)}'`)
  const cases = commands.map(({ name, options }) => {
    const specs = options.map(({ flag, summary, file }) => `'${flag}[${quoted(summary)}]${file ? ':file:_files' : ''}'`)
    return `    ${name}) _arguments ${specs.join(' ')} '*:file:_files' ;;`
  })
  return `#compdef daybook
# daybook completion for zsh: source <(daybook completion zsh)
_daybook() {
  local -a commands
  commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  local name="\${words[2]}"
  shift words
  (( CURRENT-- ))
  case "$name" in
${cases.join('\n')}
  esac
}
compdef _daybook daybook
`
}

function fish(commands: readonly Words[]): string {
  const quoted = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")
  const lines = commands.flatMap(({ name, summary, options }) => [
    `complete -c daybook -n __fish_use_subcommand -f -a ${name} -d '${quoted(summary)}'`,
    ...options.map(
      ({ flag, summary: about, file }) =>
        `complete -c daybook -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)} ${file ? '-r -F ' : ''}-d '${quoted(about)}'`,
    ),
  ])
  return `# daybook completion for fish: daybook completion fish | source\n${lines.join('\n')}\n`
}

function fileFlags(commands: readonly Words[]): readonly string[] {
  return [...new Set(commands.flatMap(({ options }) => options.flatMap(({ flag, file }) => (file ? [flag] : []))))]
}
