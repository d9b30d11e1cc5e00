// Footer branding: the picture below a customer's portals, and its link.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { fieldsOf } from './describe.ts'
import { Picture, pictureFile } from './pictures.ts'
import { anyOf, byId, changesTo, done, id, listOf, moment, page, pageAddress, yes } from './shapes.ts'
import { status } from './status.ts'

const { read, write, upload, removal } = callsOf('portal_footers')

export const FooterInput = z.object({
  image: pictureFile(),
  /** Opened by a click on the picture; without a link it is only shown. */
  url: pageAddress.nullish(),
  active: yes,
})
export const Footer = z
  .object({
    id,
    url: z.string().nullable(),
    image: Picture,
    /** Needs no token, and its content never changes: another picture has another address. */
    image_url: z.string(),
    active: z.boolean(),
    status,
    created_at: moment,
  })
  .meta({ id: 'Footer' })

/** The labels of its fields. */
export const fields = fieldsOf(
  [FooterInput, Footer],
  {
    image: 'Picture',
    url: 'Address',
  },
  {
    picture: ['image'],
    link: ['url'],
  },
)

/** A customer has at most one. */
export const list = read('/portal-footers', listOf({ status: anyOf(status) }), page(Footer))
export const get = read('/portal-footers/{id}', byId('portal_footers'), Footer)
export const create = upload('/portal-footers-create', FooterInput, Footer)
/** Without a picture, the present one stays. */
export const update = upload('/portal-footers-update', changesTo('portal_footers', FooterInput), Footer)
export const activate = write('/portal-footers-activate/{id}', byId('portal_footers'), Footer)
export const deactivate = write('/portal-footers-deactivate/{id}', byId('portal_footers'), Footer)
/** Active becomes disabled, disabled becomes active. */
export const toggle = write('/portal-footers-toggle-active', byId('portal_footers'), Footer)
export const remove = removal('/portal-footers-delete/{id}', byId('portal_footers'), done)
