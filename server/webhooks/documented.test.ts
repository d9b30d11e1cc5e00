// Documented: the checks of a signature in docs/webhooks.md, each run by the language it is written in. What is not installed is left out.
import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keysOf } from '#contract/keys.ts'
import { newSigningSecret, signedHeaders } from './signature.ts'

/** Calls the documented function with the JSON of `[secret, headers, body]`, and prints `1` or `0`. */
const languages = {
  js: {
    program: process.execPath,
    file: 'check.cjs',
    call: `const [secret, headers, body] = JSON.parse(require('node:fs').readFileSync(process.argv[2], 'utf8'))
console.log(isGenuine(secret, headers, body) ? 1 : 0)`,
  },
  python: {
    program: 'python3',
    file: 'check.py',
    call: `import json, sys
secret, headers, body = json.load(open(sys.argv[1], encoding="utf-8"))
print(1 if is_genuine(secret, headers, body) else 0)`,
  },
  php: {
    program: 'php',
    file: 'check.php',
    call: `[$secret, $headers, $body] = json_decode(file_get_contents($argv[1]), true);
echo is_genuine($secret, $headers, $body) ? 1 : 0;`,
  },
  perl: {
    program: 'perl',
    file: 'check.pl',
    call: `use JSON::PP; local $/; open my $in, '<', $ARGV[0]; my ($secret, $headers, $body) = @{decode_json(<$in>)};
utf8::encode($body); print is_genuine($secret, $headers, $body) ? 1 : 0;`,
  },
}
type Language = keyof typeof languages

const page = fs.readFileSync('docs/webhooks.md', 'utf8')
const documented = (language: Language) => new RegExp('```' + language + '\\n([\\s\\S]*?)```').exec(page)?.[1] ?? ''
const isInstalled = ({ program }: (typeof languages)[Language]) => spawnSync(program, ['-v']).error === undefined

let folder: string
beforeAll(() => void (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-webhook-checks-'))))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

function asked(language: Language, given: readonly [string, Record<string, string>, string]): boolean {
  const { program, file, call } = languages[language]
  const [source, input] = [path.join(folder, file), path.join(folder, `${file}.json`)]
  fs.writeFileSync(source, `${language === 'php' ? '<?php\n' : ''}${documented(language)}\n${call}\n`)
  fs.writeFileSync(input, JSON.stringify(given))
  return execFileSync(program, [source, input], { encoding: 'utf8' }).trim() === '1'
}

test.for(keysOf(languages))('the check in %s takes what we sign, and nothing else', (language, { skip }) => {
  expect(documented(language)).not.toBe('')
  if (!isInstalled(languages[language])) skip('it is not installed')
  const [secret, former] = [newSigningSecret(), newSigningSecret()]
  const body = '{"type":"stay.began","data":{"id":7,"name":"Zoë"}}'
  const at = new Date()
  const headers = signedHeaders([secret], 'msg_1', at, body)
  expect(asked(language, [secret, headers, body])).toBe(true)
  expect(asked(language, [secret, signedHeaders([former, secret], 'msg_1', at, body), body])).toBe(true)
  expect(asked(language, [former, headers, body])).toBe(false)
  expect(asked(language, [secret, headers, body.replace('7', '8')])).toBe(false)
  expect(asked(language, [secret, { ...headers, 'webhook-id': 'msg_2' }, body])).toBe(false)
  const old = signedHeaders([secret], 'msg_1', new Date(at.getTime() - 600_000), body)
  expect(asked(language, [secret, old, body])).toBe(false)
})
