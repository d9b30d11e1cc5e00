// Place: where a record is at home that belongs to a property, and perhaps to one of its rooms.
import { useOwnProperty } from '#web/session/session.ts'

export interface Place {
  property_id?: number
  room_id?: number
}

export interface FormPlace {
  /** What a new record begins with. */
  preset: Place
  /** Whoever works for one property is not asked which. */
  isAsked: boolean
  /** A record stays in its property, and a new one in that from which it was begun. */
  isFixed: boolean
}

/** @param from where a new record was begun · @param id the record, where there is one already */
export function usePlace({ property_id, room_id }: Place, id: number | undefined): FormPlace {
  const own = useOwnProperty()
  const home = property_id ?? own
  return {
    preset: { ...(home ? { property_id: home } : {}), ...(room_id ? { room_id } : {}) },
    isAsked: own === undefined,
    isFixed: home !== undefined || id !== undefined,
  }
}
