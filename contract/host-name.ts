// Host name: `wifi.example.com`, or an IPv4 address, without a scheme or a port.
import { z } from 'zod'

export const hostName = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/, 'Please enter a host name')
