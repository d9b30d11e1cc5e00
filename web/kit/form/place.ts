// Place: the property that a record belongs to, and perhaps the room.
import { useOwnProperty } from '#web/session/session.ts'

export interface Place {
  property_id?: number
  room_id?: number
}

export interface FormPlace {
  /** The initial values of a new record. */
  preset: Place
  /** False for users who work for one property. */
  isAsked: boolean
  /** A record cannot change its property, and a new one belongs to the one it was started from. */
  isFixed: boolean
}

/** @param place where a new record was started · @param id of an existing record */
export function usePlace({ property_id, room_id }: Place, id: number | undefined): FormPlace {
  const own = useOwnProperty()
  const home = property_id ?? own
  return {
    preset: { ...(home ? { property_id: home } : {}), ...(room_id ? { room_id } : {}) },
    isAsked: own === undefined,
    isFixed: home !== undefined || id !== undefined,
  }
}
