import { describe, expect, it } from 'vitest'
import { diagnose, repairDocument } from '../../src/doctor/index.ts'
import { findCertainSecrets, maskSecrets } from '../../src/doctor/rules/find-secrets.ts'

/** Put together here: a scanner of this repository is to find nothing. */
const word = (length: number): string => 'aB3dE6gH9kL2mN5pQ8rS1tU4vW7xY0zC'.repeat(4).slice(0, length)
const hex = (length: number): string => '0a1b2c3d4e5f6789'.repeat(8).slice(0, length)
const upper = (length: number): string => 'ABCDEFGH234567IJ'.repeat(2).slice(0, length)

const found: readonly (readonly [kind: string, text: string, secret: string])[] = [
  ['Anthropic key', 'use %', `sk-ant-api03-${word(40)}`],
  ['OpenAI key', 'export OPENAI_API_KEY=%', `sk-proj-${word(48)}`],
  ['OpenAI key', '"%"', `sk-${word(48)}`],
  ['OpenRouter key', '%', `sk-or-v1-${hex(64)}`],
  ['AWS access key', 'id %.', `AKIA${upper(16)}`],
  ['AWS secret key', 'aws_secret_access_key = %', `${word(38)}/+`],
  ['GitHub token', 'git clone https://%@github.com/a/b', `ghp_${word(36)}`],
  ['GitHub token', '%', `github_pat_${word(22)}_${word(59)}`],
  ['GitLab token', 'PRIVATE-TOKEN: %', `glpat-${word(20)}`],
  ['Slack token', '%', `xoxb-${'123456789012-'.repeat(2)}${word(24)}`],
  ['Stripe key', '%', `sk_live_${word(24)}`],
  ['Google key', 'key=%', `AIza${word(35)}`],
  ['npm token', '//registry/:_authToken=%', `npm_${word(36)}`],
  ['Hugging Face token', '%', `hf_${word(34)}`],
  ['Daybook key', '%', `dbk_${hex(16)}_${word(43)}`],
  ['JSON web token', 'token: %', `eyJ${word(20)}.eyJ${word(40)}.${word(43)}`],
  ['bearer token', 'Authorization: Bearer %', word(40)],
  ['password in an address', 'postgres://app:%@db.internal/app', 'correct-horse'],
  ['password', 'The password is %', 'hunter2x'],
  ['password', 'password=% next', 'S3cret-and-long'],
  ['password', String.raw`{\"api_key\": \"%\"}`, word(24)],
  ['private key', 'Look:\n%\nthere', `-----BEGIN RSA PRIVATE KEY-----\n${word(100)}\n-----END RSA PRIVATE KEY-----`],
]

const spared = [
  'The password is too short, choose a longer one.',
  'Set password: <your password here>',
  'api_key = process.env.API_KEY_2',
  'password: ${DB_PASSWORD_1}',
  'password=************',
  'AKIAIOSFODNN7EXAMPLE',
  'my task is sk-learn, see scikit-learn 1.5.2',
  'https://example.com:8080/path@2',
  'ghp_short',
  '-----BEGIN PRIVATE KEY----- is how the file begins',
  'commit 0a1b2c3d4e5f67890a1b2c3d4e5f67890a1b2c3d',
  '018f2b6e-7c1d-7aaa-8bbb-0123456789ab',
]

describe('[doc-2] secrets', () => {
  it.each(found)('finds a %s in %j', (kind, template, secret) => {
    const text = template.replace('%', secret)
    const secrets = findCertainSecrets(text)
    expect(secrets.map((one) => [one.kind, text.slice(one.from, one.to)])).toEqual([[kind, secret]])
    const masked = maskSecrets(text, secrets)
    expect(masked).toBe(template.replace('%', `[removed: ${kind}]`))
    expect(findCertainSecrets(masked)).toEqual([])
  })

  it.each(spared)('leaves %j alone', (text) => {
    expect(findCertainSecrets(text)).toEqual([])
  })

  it('goes by the name of a field, too', () => {
    const document = JSON.stringify([
      { role: 'user', content: 'Hi', metadata: { password: 'hunter2x', user: 'ada4x5y6' } },
    ])
    expect(diagnose(document).findings.map(({ rule, place }) => [rule, place.pointer])).toEqual([
      ['secret', '/0/metadata/password'],
    ])
  })

  it('are not in the words of other rules', () => {
    const key = `sk-ant-${word(90)}`
    const broken = [
      { role: 'user', content: 'Go.' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: key } }],
      },
    ]
    const { diagnosis, text } = repairDocument(JSON.stringify(broken))
    expect(diagnosis.findings.map(({ rule }) => rule)).toEqual(expect.arrayContaining(['secret', 'O3']))
    for (const told of [JSON.stringify(diagnosis), text]) expect(told).not.toContain(key.slice(0, 16))
  })

  it('can be left where they are', () => {
    const document = JSON.stringify([{ role: 'user', content: `It is ghp_${word(36)}.` }])
    expect(repairDocument(document, { ignore: ['secret'] })).toMatchObject({ changed: false, left: [] })
  })
})
