// SonicWall's interface for guests of a page elsewhere: it is told who may go online and for how long, by the session that its redirect has
// named, and answers with a code in XML. It neither lists its guests nor ends one.
import { originIn, Trouble, type ControllerLine, type OpenController } from '#server/gateways/controller.ts'

const code = { logged_in: 50, too_many: 51, unknown_session: 253 }

export const openSonicWall: OpenController = ({ settings }, line) => ({
  async letIn({ mac_address, sent: { session = '' } }, { seconds }) {
    const lifetime = String(Math.max(1, Math.floor(seconds)))
    const form = { sessId: session, userName: mac_address, sessionLifetime: lifetime, idleTimeout: lifetime }
    const said = await ask(line, originIn(settings), form)
    if (said === code.logged_in) return
    throw new Trouble(told(said), { is_sure: true, is_final: said === code.unknown_session })
  },
  // It cannot be asked; telling it once more about the same session changes nothing.
  isIn: () => Promise.resolve(false),
  end: () =>
    Promise.reject(new Trouble('A SonicWall cannot be told to end a session.', { is_sure: true, is_final: true })),
  // What is not whole is answered with a code, too: it is there.
  async counted() {
    await ask(line, originIn(settings), {})
    return []
  },
  accessPoints: () => Promise.resolve([]),
})

function told(said: number): string {
  if (said === code.too_many) return 'The firewall has reached its limit of guests.'
  return said === code.unknown_session
    ? 'The firewall no longer knows the guest: they must join the network again.'
    : `The firewall answered ${said}.`
}

async function ask(line: ControllerLine, origin: string, form: Record<string, string>): Promise<number> {
  const { status, headers, body } = await line.call(`${origin}/externalGuestLogin.cgi`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  })
  const [, said] =
    /<ResponseCode>\s*(\d{1,4})\s*<\/ResponseCode>/i.exec(body.subarray(0, 4000).toString('latin1')) ?? []
  if (said !== undefined && status === 200) return Number(said)
  const [kind = 'no kind'] = /^[\w.+-]+\/[\w.+-]+/.exec(headers['content-type'] ?? '') ?? []
  throw new Trouble(
    `The controller’s address answered ${status} with ${kind}, ${body.length} bytes, which is not an answer of a SonicWall. ` +
      'Check its address and port.',
    { of: 'controller' },
  )
}
