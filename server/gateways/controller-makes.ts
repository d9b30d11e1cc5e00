// Controller makes: what the makes have in common whose guests are let in by a call to a controller.
import type { Settings } from '#contract/parameters.ts'
import { settingText, Trouble, type Called } from './controller.ts'
import type { GatewayDefinition } from './definition.ts'

/** A page without encryption, which phones open to see whether they are caught: whoever is not online is sent to the portal from it. */
export const caught_page = 'http://captive.apple.com/hotspot-detect.html'

/** @param such examples of an address @param without what holds without one */
export const controller_parameters = (
  such: string,
  without = 'guests are not let in from the portal',
): GatewayDefinition['parameters'] => [
  {
    key: 'controller_url',
    label: 'Address of the controller',
    kind: 'url',
    choices: [],
    required: false,
    once: false,
    help: `With https, and its port: ${such}. Without it, ${without}.`,
  },
  {
    key: 'tls_fingerprint',
    label: 'Accepted certificate',
    kind: 'text',
    choices: [],
    required: false,
    once: false,
    pins: true,
    help: 'SHA-256, for a controller with a certificate of its own. Its page here shows it after the first call: compare and accept it.',
  },
]

/** Makes that let in whom the portal sends them and can be asked nothing: sessions are taken for open until the granted time is over. */
export const uncounted: Called = {
  isCalled: () => false,
  is_silent: true,
  open: () => {
    const refuse = () => Promise.reject(new Trouble('This make cannot be called.', { is_sure: true, is_final: true }))
    return {
      letIn: refuse,
      end: refuse,
      isIn: () => Promise.resolve(false),
      counted: () => Promise.resolve([]),
      accessPoints: () => Promise.resolve([]),
    }
  },
}

export const isCalled = (settings: Settings) => settingText(settings, 'controller_url') !== null
