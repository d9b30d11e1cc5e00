// Portal preview: exactly the page that guests get, on a phone or a desktop, at each step and in each language.
import { useEffect, useMemo, useRef, useState } from 'react'
import { authMethods } from '#contract/portals.ts'
import type { PortalDesign, Scheme, Step } from '#portal/design.ts'
import { exampleSteps } from '#portal/example-steps.ts'
import type { FooterProps } from '#portal/footer.tsx'
import { isLanguage, languageCodes, languages, type Language } from '#portal/languages.ts'
import { portalDocument } from '#portal/portal-document.tsx'
import { Segments } from '#web/ui/segments.tsx'
import { Select } from '#web/ui/select.tsx'
import { PreviewFrame } from './preview-frame.tsx'
import styles from './preview.module.css'

const devices = {
  phone: { label: 'Phone', width: 390, height_max: 844 },
  desktop: { label: 'Desktop', width: 1280, height_max: 900 },
}
type Device = keyof typeof devices

/** The colour scheme of the guest's phone, regardless of this browser's. */
const schemes: Record<Scheme, { label: string }> = { light: { label: 'Light' }, dark: { label: 'Dark' } }

interface StepShown {
  label: string
  step: Step
  /** Only shown for this way in. */
  method?: number
}
const steps: Record<string, StepShown> = {
  'sign-in': { label: 'Signing in', step: exampleSteps.sign_in },
  refused: { label: 'Refused', step: exampleSteps.refused },
  'email-code': { label: 'E-mail code', step: exampleSteps.email_code, method: authMethods.email },
  'sms-code': { label: 'SMS code', step: exampleSteps.sms_code, method: authMethods.sms },
  online: { label: 'Online', step: exampleSteps.online },
  status: { label: 'Looked at again', step: exampleSteps.status },
  'signed-out': { label: 'Signed out', step: exampleSteps.signed_out },
  away: { label: 'Not in the network', step: exampleSteps.away },
}
const first_step = 'sign-in'

/** The steps that guests can reach on a portal with these ways in. */
const stepsWith = (auth_method_ids: readonly number[]) =>
  Object.fromEntries(
    Object.entries(steps).filter(([, { method }]) => method === undefined || auth_method_ids.includes(method)),
  )

const optionsOf = (named: Record<string, { label: string }>) =>
  Object.entries(named).map(([value, { label }]) => ({ value, label }))
const languageOptions = languageCodes.map((value) => ({ value, label: languages[value] }))

export interface PortalPreviewProps {
  design: PortalDesign
  footer?: FooterProps | null
}

export function PortalPreview({ design, footer = null }: PortalPreviewProps) {
  const [device, setDevice] = useState<Device>('phone')
  const [chosen, choose] = useState(first_step)
  const [language, setLanguage] = useState<Language>('en')
  const [scheme, setScheme] = useState<Scheme>('light')
  const stage = useRef<HTMLDivElement>(null)
  const room = useRoom(stage)
  const reachable = stepsWith(design.auth_method_ids)
  const shown = reachable[chosen] ? chosen : first_step
  const step = steps[shown]?.step ?? exampleSteps.sign_in
  const { html } = useMemo(
    () =>
      portalDocument({
        design,
        footer,
        language,
        step,
        scheme,
        action: '',
        addressIn: (code) => `?lang=${code}`,
      }),
    [design, footer, language, scheme, step],
  )
  const { width, height_max } = devices[device]
  const scale = Math.min(1, room.width / width)
  const height = Math.min(height_max, room.height / scale)
  return (
    <section className={styles.preview} aria-label="Preview">
      <div className={styles.tools}>
        <Segments
          label="Device"
          bare
          options={optionsOf(devices)}
          value={device}
          onChange={(value) => setDevice(value as Device)}
        />
        <Segments
          label="Phone’s scheme"
          bare
          options={optionsOf(schemes)}
          value={scheme}
          onChange={(value) => setScheme(value as Scheme)}
        />
        <Select
          label="Step"
          unseenLabel
          name="step"
          options={optionsOf(reachable)}
          value={shown}
          onChange={(value) => choose(value ?? first_step)}
        />
        <Select
          label="Language"
          unseenLabel
          name="language"
          options={languageOptions}
          value={language}
          onChange={(value) => isLanguage(value) && setLanguage(value)}
        />
      </div>
      <div ref={stage} className={styles.stage}>
        {room.width > 0 && (
          <PreviewFrame
            html={html}
            size={{ width, height, scale }}
            onFollow={(address) => {
              const code = new URLSearchParams(address).get('lang')
              if (isLanguage(code)) setLanguage(code)
            }}
          />
        )}
      </div>
    </section>
  )
}

/** The available space for the page; 0 until it has been measured. */
function useRoom(stage: React.RefObject<HTMLDivElement | null>) {
  const [room, setRoom] = useState({ width: 0, height: 0 })
  useEffect(() => {
    const element = stage.current
    if (!element) return
    const observer = new ResizeObserver(() => setRoom({ width: element.clientWidth, height: element.clientHeight }))
    observer.observe(element)
    return () => observer.disconnect()
  }, [stage])
  return room
}
