// Account import: the headings of a list of guests, the values of each column, and where they are stored.
import { AccountInput } from '#contract/accounts.ts'
import type { accountColumns } from '#contract/imports.ts'
import { textOrSentinelIn } from './cells.ts'
import { checkOf, likenessOf } from './check.ts'
import { addressesIn, numbersIn } from './contacts.ts'
import { bare, headingWords } from './heading-words.ts'
import { moment, reference, text, truth, type ImportColumn, type ImportDefinition } from './definition.ts'

const shape = AccountInput.shape

const words = (text: string) => text.trim().split(/\s+/).map(bare)

const columns = {
  name: text(
    shape.name,
    [...headingWords.name, ...headingWords.last_name_first, 'account', 'konto', 'compte', 'cuenta', 'conto'],
    { parts: { first_name: headingWords.first_name, last_name: headingWords.last_name } },
  ),
  email: text(shape.email, headingWords.email, { contacts: addressesIn }),
  mobile_number: text(shape.mobile_number, headingWords.mobile_number, { contacts: numbersIn }),
  username: text(
    shape.username,
    words(`username login loginname user userid userlogin benutzername benutzer nomdutilisateur utilisateur identifiant
      usuario nombredeusuario nomeutente utente utilizador usuário gebruikersnaam användarnamn brugernavn brukernavn
      nazwaużytkownika uživatelskéjméno kullanıcıadı логин имяпользователя όνομαχρήστη اسمالمستخدم שםמשתמש ユーザー名 用户名 사용자이름 아이디`),
    { unique: { noun: 'username', taken: 'Another account of the property has this username', fold: 'username_key' } },
  ),
  // Sealed, in a table of its own.
  password: text(
    shape.password,
    words(`password pass passcode pin passwort kennwort motdepasse contraseña clave senha wachtwoord lösenord adgangskode passord
      hasło heslo şifre parola пароль κωδικός كلمةالمرور סיסמה パスワード 密码 비밀번호`),
    { apart: true },
  ),
  package_id: reference(
    'packages',
    words('packageid package plan planid paket forfait paquete pacchetto pakket pacote пакет'),
  ),
  account_type_id: reference('account_types', words('accounttypeid accounttype typeid type kontotyp typedecompte')),
  external_reference: text(shape.external_reference, headingWords.external_reference, {
    read: textOrSentinelIn(shape.external_reference),
  }),
  room_number: text(shape.username, headingWords.number, {
    finds: { table: 'rooms', by: 'number', stored: 'room_id', noun: 'room' },
  }),
  active: truth(true, words('active enabled status aktiv actif activo attivo ativo actief')),
  expires_at: moment([
    ...words(`expiresat expires expirydate expiry expirationdate expiration validuntil validto enddate gültigbis ablaufdatum
      ablauf expirele expireà datedexpiration validejusquau caduca caducidad válidohasta scadenza scade validofinoal validade
      geldigtot vervaldatum giltigtill gyldigtil ważnydo platnédo geçerlilik действителендо срокдействия 有効期限 有效期 유효기간`),
    ...headingWords.departs_on,
    ...headingWords.lease_to,
  ]),
} satisfies Record<Exclude<(typeof accountColumns)[number], 'property_id'>, ImportColumn>

export const accountImport: ImportDefinition = {
  kind: 'accounts',
  table: 'accounts',
  checker: import.meta.url,
  columns,
  key: { columns: ['name'], unique: true },
  withoutKey: 'noName',
}

export const check = checkOf(accountImport)
export const likeness = likenessOf(accountImport)
