// Property holidays: the days on which a property bills its holiday percentage.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { fieldsOf } from './describe.ts'
import { anyOf, byId, changesTo, day, done, id, listOf, moment, named, page, ref, storedDay, text } from './shapes.ts'

const { read, removal, write } = callsOf('billing')

/** From one day to another, both included. */
export const PropertyHolidayInput = z.object({
  property_id: ref('properties'),
  name: text(),
  starts_on: storedDay,
  ends_on: storedDay,
})
export const PropertyHoliday = z
  .object({
    id,
    property: named,
    property_id: id,
    name: z.string(),
    starts_on: day,
    ends_on: day,
    /** It was taken from the public list, and is compared with later releases of it. */
    listed: z.boolean(),
    created_at: moment,
  })
  .meta({ id: 'PropertyHoliday' })

/** The labels of its fields. */
export const fields = fieldsOf(
  [PropertyHolidayInput, PropertyHoliday],
  {
    starts_on: 'First day',
    ends_on: 'Last day',
  },
  {
    holiday: ['name', 'starts_on', 'ends_on'],
  },
)

export const holidayList = read(
  '/property-holidays',
  listOf({ property_id: anyOf(id) }, { property_id: ref('properties').optional() }, [
    '-created_at',
    'created_at',
    'starts_on',
    '-starts_on',
  ]),
  page(PropertyHoliday),
)
export const getHoliday = read('/property-holidays/{id}', byId('property_holidays'), PropertyHoliday)
export const createHoliday = write('/property-holidays-create', PropertyHolidayInput, PropertyHoliday)
export const updateHoliday = write(
  '/property-holidays-update',
  changesTo('property_holidays', PropertyHolidayInput.omit({ property_id: true })).extend({
    /**
     * False: it is the property's own from now on, independent of the public list. So is one whose days are changed, unless this is true:
     * then it still follows the list, and is compared with later releases as before.
     */
    listed: z.boolean().optional(),
  }),
  PropertyHoliday,
)
export const removeHoliday = removal('/property-holidays-delete/{id}', byId('property_holidays'), done)
