// Language switch: the languages of the app, each by its own name. The choice goes with the person, to every browser.
import { chooseLanguage } from '#contract/auth.ts'
import { languageNames, languages, type Language } from '#contract/languages.ts'
import { call } from '#web/kit/call/call.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { session } from '#web/session/session.ts'
import { Menu } from '#web/ui/menu.tsx'
import { speak, useLanguage } from '#web/words/language.ts'
import { say } from '#web/words/frame.ts'
import styles from './language-switch.module.css'

async function choose(language: Language) {
  await call(chooseLanguage, { language })
  const { user, users } = session.get()
  if (user) session.enter({ ...user, language }, users)
  await speak(language)
}

export function LanguageSwitch() {
  const now = useLanguage()
  return (
    <Menu
      label={`${say('language')}: ${languageNames[now]}`}
      className={styles.language}
      items={languages.map((language) => ({
        label: languageNames[language],
        ...(language === now && { icon: 'check' as const }),
        onPick: () => void choose(language).catch(notify.failure),
      }))}
      button={<span className={styles.code} data-code={now.toUpperCase()} aria-hidden />}
    />
  )
}
