// Address confirmation: whoever signed up shows that the address is their own, by a link that is sent to it.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { nothing } from './shapes.ts'
import { linkToken } from './auth.ts'

const { write } = callsOf('sessions')

export const Confirmation = z.object({ token: linkToken })

/** Takes no session: the link may be opened on another device. A link works until it is 7 days old, or a newer one is sent. */
export const confirmAddress = write('/auth/confirm-address', Confirmation, nothing)
/** Sends the link again, to whoever is signed in; a customer that waits for nobody is left alone. */
export const sendConfirmation = write('/auth/send-confirmation', nothing, nothing)
