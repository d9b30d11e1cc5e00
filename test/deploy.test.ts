// Deploy: everything that the files for production refer to exists, and systemd accepts the unit.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '..')
const read = (name: string) => fs.readFileSync(path.join(root, 'deploy', name), 'utf8')
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

test.runIf(hasSystemd)('systemd finds no fault with the unit', () => {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', 'deploy/foyer.service'], {
    cwd: root,
    encoding: 'utf8',
  })
  // It reads all units of the machine; only messages about this one count.
  expect(`${stdout}${stderr}`.split('\n').filter((line) => line.includes('foyer'))).toEqual([])
  expect(status).toBe(0)
})

test('gateways reach what a container listens to', () => {
  const [compose, containerfile] = [read('compose.yaml'), read('Containerfile')]
  const [, access] = /RADIUS_AUTH_PORT: '(\d+)'/.exec(compose) ?? []
  const [, accounting] = /RADIUS_ACCT_PORT: '(\d+)'/.exec(compose) ?? []
  for (const port of [access, accounting]) {
    expect(compose).toMatch(new RegExp(`^ +- ${port}:${port}/udp$`, 'm'))
    expect(containerfile).toMatch(new RegExp(`^EXPOSE .*\\b${port}/udp\\b`, 'm'))
  }
})

test('what the files run and read is there', () => {
  const { scripts } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const texts = ['foyer.service', 'Containerfile', 'compose.yaml', 'README.md'].map(read).join('\n')
  for (const [, command = ''] of texts.matchAll(/npm run (\w+(?:[:-]\w+)*)/g))
    expect(scripts, command).toHaveProperty(command)
  const files = [...texts.matchAll(/\b(?:deploy|scripts)\/[\w.-]+/g)].map(([name]) => name)
  expect(files.length).toBeGreaterThan(4)
  for (const name of files) expect(fs.existsSync(path.join(root, name)), name).toBe(true)
  expect(read('Containerfile')).toContain('dist/server/main.js')
  expect(fs.existsSync(path.join(root, 'server/main.ts'))).toBe(true)
})
