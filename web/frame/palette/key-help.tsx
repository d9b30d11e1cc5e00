// Key help: the keys that work everywhere, on a list and in a form.
import { Dialog } from '#web/ui/dialog.tsx'
import { commandKey } from './keys.ts'
import styles from './key-help.module.css'

const keysOf = (command: string): { where: string; keys: [key: string, does: string][] }[] => [
  {
    where: 'Everywhere',
    keys: [
      [`${command} K`, 'Go to a page, or find a property, guest or code'],
      ['?', 'These keys'],
      ['Esc', 'Close what is open'],
    ],
  },
  {
    where: 'On a list',
    keys: [
      ['/', 'Search'],
      ['↑ ↓', 'Move from row to row'],
      ['Enter', 'Open the row'],
      ['Space', 'Select the row; with Shift, all up to it'],
      [`${command} A`, 'Select all that are loaded'],
    ],
  },
  { where: 'In a form', keys: [[`${command} S`, 'Save']] },
]

export const KeyHelp = ({ close }: { close: () => void }) => (
  <Dialog open title="Keys" width={440} onClose={close}>
    {keysOf(commandKey()).map(({ where, keys }) => (
      <section key={where} className={styles.part}>
        <h3>{where}</h3>
        <dl>
          {keys.map(([key, does]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
      </section>
    ))}
  </Dialog>
)
