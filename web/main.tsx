// Main: renders the app into the page.
import './preload.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { Fragment, StrictMode, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { LastResort } from '#web/frame/error-pages.tsx'
import { ModalScreensContext } from '#web/frame/modal-host.tsx'
import { ReportScreens } from '#web/frame/report-screens.ts'
import { recordAddress } from '#web/may-open.ts'
import { leaveOnEnd } from '#web/frame/leave.ts'
import { Confirms } from '#web/kit/dialog/confirm.tsx'
import { goWith } from '#web/kit/navigation/go.ts'
import { RecordAddress } from '#web/kit/navigation/record-address.ts'
import { proveBy } from '#web/kit/call/call.ts'
import { forgetPreloaded } from '#web/kit/call/preloaded.ts'
import { queryClient } from '#web/kit/call/query-client.ts'
import { UiProvider } from '#web/ui/provider.tsx'
import { Toasts } from '#web/ui/toast.tsx'
import { keptLanguage } from '#web/words/kept-language.ts'
import { onLanguage, speak, useLanguage } from '#web/words/language.ts'
import { begin, modalScreens, router } from '#web/routes.tsx'
import { listedReports } from '#web/screens.tsx'

goWith({ navigate: (options) => router.navigate(options), history: router.history })
leaveOnEnd()
proveBy(async (from) => (await import('#web/resources/auth/proof.tsx')).askForProof(from))
begin(window.location)
// What the server has said so far was said in the former language.
onLanguage(() => queryClient.clear())

/** Drawn anew in another language: what stands there was said in the former one. */
const InLanguage = ({ children }: { children: ReactNode }) => <Fragment key={useLanguage()}>{children}</Fragment>

function render() {
  forgetPreloaded()
  const root = document.getElementById('root')
  if (root)
    createRoot(root).render(
      <StrictMode>
        <UiProvider>
          <QueryClientProvider client={queryClient}>
            <InLanguage>
              <ModalScreensContext value={modalScreens}>
                <ReportScreens value={listedReports}>
                  <RecordAddress value={recordAddress}>
                    <LastResort>
                      <RouterProvider router={router} />
                    </LastResort>
                  </RecordAddress>
                </ReportScreens>
              </ModalScreensContext>
              <Confirms />
              <Toasts />
            </InLanguage>
          </QueryClientProvider>
        </UiProvider>
      </StrictMode>,
    )
}
// The first render already contains the screen; until then the page shows the content of index.html.
void speak(keptLanguage())
  .then(() => router.load())
  .finally(render)
