// Guest help: finds a guest, shows why they cannot get online, and offers the button that fixes it.
// `?q=` is what was typed; `?kind=account&id=4` is the candidate that was picked.
import { kinds, type Kind } from '#contract/guest-help.ts'
import * as contract from '#contract/guest-help.ts'
import { NotPermitted } from '#web/kit/form/permitted.tsx'
import { useScreenSearch } from '#web/kit/navigation/screen-search.ts'
import { idIn, one } from '#web/kit/navigation/search-params.ts'
import { useMayCall } from '#web/session/may.ts'
import { PageHeader } from '#web/ui/page.tsx'
import { say } from '#web/words/desk.ts'
import { FindGuest } from './find-guest.tsx'
import { Subject } from './subject.tsx'

const kindIn = (value: string | undefined): Kind | undefined => kinds.find((kind) => kind === value)

export function GuestHelp() {
  const search = useScreenSearch()
  const [id, kind] = [idIn(search['id']), kindIn(one(search['kind']))]
  const q = one(search['q']) ?? ''
  const maySearch = useMayCall(contract.search)
  if (!maySearch)
    return (
      <>
        <PageHeader title={say('help-a-guest')} />
        <NotPermitted icon="findGuest" />
      </>
    )
  if (id !== undefined && kind !== undefined) return <Subject key={`${kind} ${id}`} kind={kind} id={id} q={q} />
  return (
    <>
      <PageHeader title={say('help-a-guest')} />
      <FindGuest q={q} />
    </>
  )
}
