// A free port stands in for each that is 0, and for no other.
import { expect, test } from 'vitest'
import { chosenPorts } from './ports.ts'

test('ports that are set stay, and free ones take the place of those that are not', async () => {
  expect(await chosenPorts({ port: 3000, portal_port: 3001 })).toEqual({ port: 3000, portal_port: 3001 })
  const first = await chosenPorts({ port: 0, portal_port: 3001 })
  expect(first.portal_port).toBe(3001)
  expect(first.port).toBeGreaterThan(1024)
  const second = await chosenPorts({ port: 3000, portal_port: 0 })
  expect(second.port).toBe(3000)
  expect(second.portal_port).toBeGreaterThan(1024)
  const { port, portal_port } = await chosenPorts({ port: 0, portal_port: 0 })
  expect(portal_port).toBe(port + 1)
})
