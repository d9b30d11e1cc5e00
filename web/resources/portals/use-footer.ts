// useFooter: the footer branding as portals show it, if the user may read it.
import { useQuery } from '@tanstack/react-query'
import * as footers from '#contract/portal-footers.ts'
import type { FooterProps } from '#portal/footer.tsx'
import { call } from '#web/kit/call/call.ts'
import { keys } from '#web/kit/call/query-client.ts'
import { useMayCall } from '#web/session/may.ts'

export function useFooter(): FooterProps | null {
  const mayRead = useMayCall(footers.list)
  const { data } = useQuery({
    queryKey: keys.one(footers.list.path, 0),
    queryFn: ({ signal }) => call(footers.list, { per_page: 1 }, { signal }),
    enabled: mayRead,
  })
  const footer = data?.data[0]
  if (!footer?.active) return null
  return { image_url: footer.image_url, width: footer.image.width, height: footer.image.height, url: footer.url }
}
