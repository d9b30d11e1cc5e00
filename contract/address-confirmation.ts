// Address confirmation: a user who signed up proves that the address is their own, by a link sent to it.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { nothing } from './shapes.ts'
import { linkToken } from './auth.ts'

const { write } = callsOf('sessions')

export const Confirmation = z.object({ token: linkToken })

/** Needs no session: the link may be opened on another device. A link works for 7 days, or until a newer one is sent. */
export const confirmAddress = write('/auth/confirm-address', Confirmation, nothing)
/** Sends the link to the signed-in user again; does nothing for a customer that waits for no confirmation. */
export const sendConfirmation = write('/auth/send-confirmation', nothing, nothing)
