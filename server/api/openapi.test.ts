// The description of the API: a linter finds no fault in it, its examples are valid, and a client generated from it works.
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { generateSource } from 'oazapfts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpointsOf, pathFields } from '#contract/endpoint.ts'
import { resourcesOf } from '#server/apps/api.ts'
import { exampleOf } from '#server/api/examples.ts'
import { openApi } from '#server/api/openapi.ts'
import type { Services } from '#server/services.ts'
import { aMacAddress, openFoyer, password, type TestFoyer } from '#test/foyer.ts'
import { aPicture } from '#test/pictures.ts'
import { aPortalZip } from '#test/zips.ts'

const root = path.join(import.meta.dirname, '../..')
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-openapi-'))
const file = path.join(scratch, 'openapi.json')
const contracts = resourcesOf({ portal_url: 'https://portal.example' } as Services).map(({ contract }) => contract)
const calls = contracts.flatMap((contract) => endpointsOf(contract))

interface Operation {
  operationId: string
  summary: string
  tags: string[]
  security: object[]
  requestBody?: { content: Record<string, { example?: unknown }> }
  responses: Record<string, { $ref?: string }>
}
interface Document {
  paths: Record<string, Record<string, Operation>>
  tags: { name: string; description: string }[]
  components: { schemas: Record<string, object>; responses: Record<string, object> }
}

let foyer: TestFoyer
let described: Document
beforeAll(async () => {
  foyer = await openFoyer()
  described = (await foyer.app.inject('/api/v1/openapi.json')).json()
  fs.writeFileSync(file, JSON.stringify(described))
})
afterAll(async () => {
  await foyer.close()
  fs.rmSync(scratch, { recursive: true, force: true })
})

/** Runs a program of a package with this Node. Its output becomes the error if it fails. */
async function run(program: string, args: string[]): Promise<string> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' }
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], { cwd: scratch, env })
    return stdout
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`${path.basename(program)}: ${stdout}${stderr}`, { cause: error })
  }
}

test('a linter finds no errors and gives no warnings', async () => {
  const cli = path.join(root, 'node_modules/@redocly/cli/bin/cli.js')
  await expect(run(cli, ['lint', file, '--extends', 'recommended-strict'])).resolves.toBeDefined()
})

describe('every call', () => {
  const operations = () => Object.values(described.paths).flatMap((item) => Object.values(item))

  test('has a line, a tag that is explained, and the refusals that it may answer', () => {
    const tags = new Map(described.tags.map(({ name, description }) => [name, description]))
    for (const { operationId, summary, tags: own, responses, security } of operations()) {
      expect(summary, operationId).toMatch(/^[A-Z]\w+( |$)/)
      expect(tags.get(own[0] ?? ''), operationId).toBeTruthy()
      expect(Object.keys(responses), operationId).toEqual(expect.arrayContaining(['429', '503']))
      if (security.length > 0) expect(Object.keys(responses)).toEqual(expect.arrayContaining(['401', '403']))
      for (const [status, { $ref }] of Object.entries(responses))
        expect($ref !== undefined, `${operationId} ${status}`).toBe(Number(status) >= 400)
    }
  })

  test('gives its records a schema with a name', () => {
    const inline = operations().filter(({ responses }) => {
      const content = responses['200'] ?? responses['201']
      const data = JSON.stringify(content).match(/"schema":{"type":"object","properties":{"data":(.{0,60})/)?.[1] ?? ''
      return /^{"type":"(array","items":{"type":")?object","properties":{"id"/.test(data)
    })
    expect(inline.map(({ operationId }) => operationId)).toEqual([])
  })

  /** A file is not JSON: it has a type and a length, and no example. */
  const examples = calls.flatMap(([, endpoint]) => {
    const { method, path: address, area, input, output, takes, gives } = endpoint
    return [
      ...(takes === 'json' ? [[`${method} ${address} asks`, input, exampleOf(input, 'input', area)] as const] : []),
      ...(gives === 'json'
        ? [[`${method} ${address} answers`, output, exampleOf(output, 'output', area)] as const]
        : []),
    ]
  })
  test.each(examples)('%s what the contract accepts as an example', (_name, schema, example) => {
    expect(schema.safeParse(example).error?.issues ?? []).toEqual([])
  })
})

test('two contracts that export different shapes by one name are refused', () => {
  const [one] = contracts.filter((contract) => 'PropertyRow' in contract)
  expect(one).toBeDefined()
  const fields = calls.filter(([, endpoint]) => pathFields(endpoint.path).length > 0)
  expect(fields.length).toBeGreaterThan(0)
  expect(() => openApi([...contracts, { Property: fields[0]?.[1].input, extra: fields[0]?.[1] }], '')).toThrow(
    /Property is asked and answered in two shapes/,
  )
})

describe('a client generated from it', () => {
  const client = path.join(scratch, 'client.ts')
  const program = path.join(scratch, 'program.ts')
  /** What somebody would write against the API, with types from its description only. */
  const source = `
import fs from 'node:fs'
import * as foyer from './client.ts'

const [url = '', email = '', password = ''] = process.argv.slice(2)
foyer.defaults.baseUrl = url
const signedIn = await foyer.sessionsLogin({ email, password })
if (signedIn.status !== 200) throw new Error(\`\${signedIn.status} \${signedIn.data.message}\`)
const answer = signedIn.data.data
if ('challenge' in answer) throw new Error('a second factor is asked')
const { access_token, user } = answer
foyer.defaults.headers = { authorization: \`Bearer \${access_token}\`, 'app-context': user.owner_type.toLowerCase() }

const made = await foyer.packagesCreate({ name: 'Made by a client', speed_mbps: 20 }, { idempotencyKey: 'once' })
if (made.status !== 201) throw new Error(\`\${made.status} \${made.data.message}\`)
const id: number = made.data.data.id
const again = await foyer.packagesCreate({ name: 'Made by a client', speed_mbps: 20 }, { idempotencyKey: 'once' })
const read = await foyer.packagesGet(id)
const listed = await foyer.packagesList({ searchValue: 'made by', sort: 'name', filters: { status: ['active'] } })
const refused = await foyer.packagesCreate({ name: '' })
const types = await foyer.referenceCountries()

const fileOf = (name: string) => new File([fs.readFileSync(name)], name)
const made_id = (answer: { status: number; data: object }): number => {
  const { data } = answer.data as { data?: { id?: number; total?: number } }
  if (answer.status > 201 || !data) throw new Error(\`\${answer.status} \${JSON.stringify(answer.data)}\`)
  return data.id ?? 0
}
const look = { name: 'Uploaded', 'auth_method_ids[]': [1, 2] }
const portal_id = made_id(await foyer.portalsCreate({ ...look, logo: fileOf('logo.png') }, { idempotencyKey: 'portal' }))
made_id(await foyer.portalsUpdate({ id: portal_id, 'auth_method_ids[]': [2, 3] }))
const portal = await foyer.portalsGet(portal_id)
const zip = { portal: fileOf('portal.zip') }
const custom_id = made_id(await foyer.portalsCreateCustom({ ...zip, name: 'Zip', 'auth_method_ids[]': [2] }))
made_id(await foyer.portalsUpdateCustom({ id: custom_id, ...zip }))
const footer_id = made_id(await foyer.portalFootersCreate({ image: fileOf('logo.png') }))
made_id(await foyer.portalFootersUpdate({ id: footer_id, url: 'https://example.com' }))
const property = made_id(await foyer.propertiesCreate({ name: 'Quay House', draft: true }))
made_id(await foyer.importsAccounts({ AccountImport: fileOf('accounts.csv') }, { propertyId: property }))
made_id(await foyer.importsDevices({ DeviceImport: fileOf('devices.csv') }, { propertyId: property }))
made_id(await foyer.importsRooms({ RoomImport: fileOf('rooms.csv'), property_id: property }))
console.log(JSON.stringify({
  uploaded: portal.status === 200 ? portal.data.data.auth_method_ids : null,
  same: again.status === 201 && again.data.data.id === id,
  speed: read.status === 200 ? read.data.data.speed_mbps : null,
  names: listed.status === 200 ? listed.data.data.map((row) => row.name) : [],
  total: listed.status === 200 ? listed.data.meta.total : null,
  errors: refused.status === 422 ? refused.data.errors : null,
  countries: types.status === 200 && types.data.data.length > 100,
}))
`

  test('makes every call that takes a file', () => {
    const operations = Object.values(described.paths).flatMap((item) => Object.values(item))
    const uploads = operations.filter(({ requestBody }) => requestBody?.content['multipart/form-data'])
    expect(uploads.length).toBeGreaterThan(5)
    expect(uploads.map(({ operationId }) => operationId).filter((id) => !source.includes(`foyer.${id}(`))).toEqual([])
  })

  test('compiles, logs in, creates, lists and uploads', async () => {
    const files = {
      'logo.png': aPicture().content,
      'portal.zip': aPortalZip(),
      'accounts.csv': 'name\nAda Lovelace\n',
      'devices.csv': `name,mac_address\nTelevision,${aMacAddress()}\n`,
      'rooms.csv': 'room,name\n101,Lovelace\n',
    }
    for (const [name, content] of Object.entries(files)) fs.writeFileSync(path.join(scratch, name), content)
    const code = await generateSource(file)
    fs.symlinkSync(path.join(root, 'node_modules'), path.join(scratch, 'node_modules'))
    fs.writeFileSync(path.join(scratch, 'package.json'), '{"type":"module"}')
    fs.writeFileSync(client, code)
    fs.writeFileSync(program, source)
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--allowImportingTsExtensions', '--types', 'node']
    const target = ['--target', 'es2024', '--module', 'nodenext', '--lib', 'es2024,dom', '--ignoreConfig']
    await run(path.join(root, 'node_modules/typescript/bin/tsc'), [...options, ...target, program])

    const editor = await foyer.customer()
    const address = await foyer.app.listen({ port: 0, host: '127.0.0.1' })
    const printed = await run(program, [`${address}/api/v1`, editor.user.email, password])
    expect(JSON.parse(printed)).toEqual({
      uploaded: [2, 3],
      same: true,
      speed: 20,
      names: ['Made by a client'],
      total: 1,
      errors: { name: [expect.any(String)] },
      countries: true,
    })
  })
})

describe('the page for people', () => {
  test('loads its one script from this origin, and may load nothing else', async () => {
    const { headers, body } = await foyer.app.inject('/api/docs')
    expect(headers['content-security-policy']).toBe(
      "default-src 'none';script-src 'self';style-src 'unsafe-inline';img-src 'self' data:;connect-src 'self';" +
        "base-uri 'none';form-action 'none';frame-ancestors 'none'",
    )
    const sources = [...body.matchAll(/src="([^"]+)"/g)].map(([, source]) => source ?? '')
    expect(sources).toEqual([expect.stringMatching(/^\/api\/docs\/reader\.js\?v=\w{12}$/)])
    const plain = await foyer.app.inject(sources[0] ?? '')
    const zipped = await foyer.app.inject({ url: sources[0] ?? '', headers: { 'accept-encoding': 'br, gzip' } })
    expect(plain.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(plain.headers['cache-control']).toContain('immutable')
    expect(zipped.headers['content-encoding']).toBe('gzip')
    expect(zipped.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
  })
})
