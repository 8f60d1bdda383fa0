'use strict'

// Runs a TypeScript file or a development tool, after setting up what is missing:
//
//   node scripts/bootstrap.cjs examples/tour.ts
//   node scripts/bootstrap.cjs oxlint --deny-warnings
//
// It has to parse on any Node, so it is ES2015 CommonJS and loads nothing but Node's own modules. A native dependency
// loaded by a Node that is too old can crash the process: dependencies are only ever loaded by the Node chosen here.

const childProcess = require('child_process')
const crypto = require('crypto')
const fs = require('fs')
const path = require('path')

const ROOT = path.resolve(__dirname, '..')
const TOOLS = path.join(ROOT, '.tools')
const FETCHED_NODE = path.join(TOOLS, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
const LOCK = path.join(ROOT, 'package-lock.json')
const STAMP = path.join(ROOT, 'node_modules', '.installed-lock')

/** What the sources are written for and every tool accepts. The built package needs less: see `engines`. */
const WANTED = '24.11 or later of 24, or 26 and later'

function goodNode(version) {
  const match = /^v?(\d+)\.(\d+)\./.exec(version)
  if (!match) return false
  const major = Number(match[1])
  const minor = Number(match[2])
  return (major === 24 && minor >= 11) || major >= 26
}

function say(text) {
  process.stderr.write(`daybook: ${text}\n`)
}

function fail(text) {
  say(text)
  process.exit(1)
}

/** The environment with a Node first on the path, so that everything started below runs with it too. */
function environment(node) {
  const env = Object.assign({}, process.env)
  const key = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') || 'PATH'
  env[key] = [path.dirname(node), env[key]].filter(Boolean).join(path.delimiter)
  return env
}

/** Runs npm with the given Node; what npm says goes to stderr. Answers with its exit code. */
function npm(node, args) {
  const cli = process.env.npm_execpath || ''
  const direct = path.basename(cli) === 'npm-cli.js'
  const windows = process.platform === 'win32'
  const command = direct ? node : windows ? 'npm.cmd' : 'npm'
  const quiet = args.concat(['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'])
  const result = childProcess.spawnSync(command, direct ? [cli].concat(quiet) : quiet, {
    cwd: ROOT,
    env: environment(node),
    shell: windows && !direct,
    stdio: ['ignore', 2, 2],
  })
  if (result.error) fail(`Cannot run npm: ${result.error.message}; wanted npm on the path`)
  return result.status
}

function versionOf(node) {
  const result = childProcess.spawnSync(node, ['--version'], { encoding: 'utf8' })
  return result.status === 0 ? result.stdout.trim() : 'none'
}

/** The running Node if it will do, else the fetched one, else a newly fetched one. */
function findNode() {
  if (goodNode(process.version)) return process.execPath
  if (goodNode(versionOf(FETCHED_NODE))) return FETCHED_NODE

  say(`this is Node ${process.version}, wanted ${WANTED}; fetching Node 24 into .tools (once)`)
  const args = ['install', '--prefix', '.tools', '--no-save', '--ignore-scripts=false', 'node@24']
  if (!fs.existsSync(TOOLS)) fs.mkdirSync(TOOLS)
  // The package links its binary in an install script, which an npm may refuse unless told.
  fs.writeFileSync(path.join(TOOLS, 'package.json'), '{ "private": true, "allowScripts": { "node": true } }')
  const status = npm(process.execPath, args)
  const found = versionOf(FETCHED_NODE)
  if (!goodNode(found)) {
    const what = `"npm ${args.join(' ')}" exited with ${status} and left ${found} in .tools`
    fail(`Cannot fetch Node 24: ${what}; wanted ${WANTED}`)
  }
  return FETCHED_NODE
}

function hashOf(file) {
  return crypto.createHash('sha256').update(fs.readFileSync(file)).digest('hex')
}

function installed() {
  return fs.existsSync(STAMP) && fs.existsSync(LOCK) && fs.readFileSync(STAMP, 'utf8') === hashOf(LOCK)
}

/**
 * Installs the dependencies when the lock is not the one that was installed last.
 *
 * By `npm install`, not `npm ci`: some mirrors lack the optional packages of other platforms, and `npm ci` wants all.
 * Without install scripts: no dependency needs one, and with a lock npm would compile better-sqlite3, which comes
 * compiled, and fail where there is no compiler.
 */
function ensureDependencies(node) {
  if (installed()) return
  say('installing dependencies')
  const status = npm(node, ['install', '--no-save', '--ignore-scripts'])
  if (status !== 0) fail(`Cannot install dependencies: "npm install" exited with ${status}, expected 0`)
  fs.writeFileSync(STAMP, hashOf(LOCK))
}

/** The JavaScript behind a tool's name, or the file itself. Shims in `.bin` are not portable; this is. */
function scriptOf(target) {
  if (/[.][cm]?[jt]s$/.test(target)) return path.resolve(ROOT, target)
  const owners = { attw: '@arethetypeswrong/cli', tsc: 'typescript' }
  const folder = path.join(ROOT, 'node_modules', owners[target] || target)
  const manifest = path.join(folder, 'package.json')
  if (!fs.existsSync(manifest))
    fail(`Cannot run ${target}: no ${path.relative(ROOT, manifest)}; expected a development dependency`)
  const bin = JSON.parse(fs.readFileSync(manifest, 'utf8')).bin
  return path.join(folder, typeof bin === 'string' ? bin : bin[target])
}

/** Runs the target in the caller's terminal and ends as it ends. */
function run(node, script, args) {
  const child = childProcess.spawn(node, [script].concat(args), { env: environment(node), stdio: 'inherit' })
  child.on('error', (error) => fail(`Cannot run ${script}: ${error.message}`))
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  // A terminal sends Ctrl-C to the child as well; passing it on would interrupt twice.
  signals.forEach((signal) =>
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY) || child.kill(signal)),
  )
  child.on('exit', (code, signal) => {
    if (!signal) return process.exit(code)
    signals.forEach((name) => process.removeAllListeners(name))
    process.kill(process.pid, signal)
  })
}

function main(args) {
  if (args.length === 0) fail('Cannot run: no target given; expected a file or a tool, as "examples/tour.ts"')
  const node = findNode()
  ensureDependencies(node)
  run(node, scriptOf(args[0]), args.slice(1))
}

module.exports = { goodNode }

if (require.main === module) main(process.argv.slice(2))
