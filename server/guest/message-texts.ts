// Message texts: the mails and text messages with which a guest confirms an address, in each language of the portal.
import type { Language } from '#portal/languages.ts'

interface MessageTexts {
  subject: (place: string) => string
  /** Plain text. `minutes` is how long link and code are valid. */
  mail: (values: { place: string; link: string; code: string; minutes: number }) => string
  /** As short as possible: more than 160 characters cost twice as much. */
  text: (place: string, code: string) => string
}

export const messageTexts: Record<Language, MessageTexts> = {
  en: {
    subject: (place) => `Your Wi-Fi at ${place}: confirm your address`,
    mail: ({ place, link, code, minutes }) => `Hello,

please confirm your e-mail address to go on using the Wi-Fi at ${place}. Open this link within ${minutes} minutes:
${link}

Or type this code on the page of the Wi-Fi: ${code}

If you did not ask for this, you can leave it; nothing happens.
`,
    text: (place, code) => `${code} is your code for the Wi-Fi at ${place}.`,
  },
  de: {
    subject: (place) => `Ihr WLAN bei ${place}: Adresse bestätigen`,
    mail: ({ place, link, code, minutes }) => `Guten Tag,

bitte bestätigen Sie Ihre E-Mail-Adresse, um das WLAN bei ${place} weiter zu nutzen. \
Öffnen Sie diesen Link innerhalb von ${minutes} Minuten:
${link}

Oder geben Sie auf der Seite des WLANs diesen Code ein: ${code}

Wenn Sie das nicht angefordert haben, müssen Sie nichts tun; es geschieht nichts.
`,
    text: (place, code) => `${code} ist Ihr Code für das WLAN bei ${place}.`,
  },
  fr: {
    subject: (place) => `Votre Wi-Fi à ${place} : confirmez votre adresse`,
    mail: ({ place, link, code, minutes }) => `Bonjour,

veuillez confirmer votre adresse e-mail pour continuer à utiliser le Wi-Fi de ${place}. Ouvrez ce lien dans les ${minutes} minutes :
${link}

Ou saisissez ce code sur la page du Wi-Fi : ${code}

Si vous n’avez rien demandé, vous pouvez ignorer ce message ; il ne se passera rien.
`,
    text: (place, code) => `${code} est votre code pour le Wi-Fi de ${place}.`,
  },
  es: {
    subject: (place) => `Su Wi-Fi en ${place}: confirme su dirección`,
    mail: ({ place, link, code, minutes }) => `Hola:

Confirme su dirección de correo para seguir usando el Wi-Fi de ${place}. Abra este enlace en los próximos ${minutes} minutos:
${link}

O escriba este código en la página del Wi-Fi: ${code}

Si no lo ha pedido, no tiene que hacer nada; no ocurrirá nada.
`,
    text: (place, code) => `${code} es su código para el Wi-Fi de ${place}.`,
  },
  it: {
    subject: (place) => `Il Wi-Fi di ${place}: confermi il Suo indirizzo`,
    mail: ({ place, link, code, minutes }) => `Buongiorno,

confermi il Suo indirizzo e-mail per continuare a usare il Wi-Fi di ${place}. Apra questo link entro ${minutes} minuti:
${link}

Oppure inserisca questo codice nella pagina del Wi-Fi: ${code}

Se non l’ha richiesto, può ignorare questo messaggio; non succederà nulla.
`,
    text: (place, code) => `${code} è il Suo codice per il Wi-Fi di ${place}.`,
  },
  nl: {
    subject: (place) => `Uw wifi bij ${place}: bevestig uw adres`,
    mail: ({ place, link, code, minutes }) => `Hallo,

bevestig uw e-mailadres om de wifi bij ${place} te blijven gebruiken. Open deze link binnen ${minutes} minuten:
${link}

Of typ deze code op de pagina van de wifi: ${code}

Hebt u dit niet aangevraagd, dan hoeft u niets te doen; er gebeurt niets.
`,
    text: (place, code) => `${code} is uw code voor de wifi bij ${place}.`,
  },
  pt: {
    subject: (place) => `O seu Wi-Fi em ${place}: confirme o seu endereço`,
    mail: ({ place, link, code, minutes }) => `Olá,

confirme o seu endereço de e-mail para continuar a usar o Wi-Fi de ${place}. Abra este link nos próximos ${minutes} minutos:
${link}

Ou escreva este código na página do Wi-Fi: ${code}

Se não fez este pedido, não precisa de fazer nada; não acontece nada.
`,
    text: (place, code) => `${code} é o seu código para o Wi-Fi de ${place}.`,
  },
  pl: {
    subject: (place) => `Twoje Wi-Fi w ${place}: potwierdź adres`,
    mail: ({ place, link, code, minutes }) => `Dzień dobry,

potwierdź swój adres e-mail, aby dalej korzystać z Wi-Fi w ${place}. Otwórz ten link w ciągu ${minutes} minut:
${link}

Możesz też wpisać ten kod na stronie Wi-Fi: ${code}

Jeśli nie prosiłeś o tę wiadomość, zignoruj ją; nic się nie stanie.
`,
    text: (place, code) => `${code} to Twój kod do Wi-Fi w ${place}.`,
  },
  ar: {
    subject: (place) => `الواي فاي في ${place}: أكّد عنوانك`,
    mail: ({ place, link, code, minutes }) => `مرحبًا،

يُرجى تأكيد بريدك الإلكتروني لمتابعة استخدام الواي فاي في ${place}. افتح هذا الرابط خلال ${minutes} دقيقة:
${link}

أو اكتب هذا الرمز في صفحة الواي فاي: ${code}

إذا لم تطلب ذلك فلا داعي لفعل أي شيء.
`,
    text: (place, code) => `${code} هو رمزك للواي فاي في ${place}.`,
  },
  he: {
    subject: (place) => `ה־Wi-Fi שלכם ב־${place}: אישור כתובת`,
    mail: ({ place, link, code, minutes }) => `שלום,

נא לאשר את כתובת הדוא״ל כדי להמשיך להשתמש ב־Wi-Fi של ${place}. פתחו את הקישור הזה בתוך ${minutes} דקות:
${link}

או הקלידו את הקוד הזה בעמוד ה־Wi-Fi: ${code}

אם לא ביקשתם זאת, אין צורך לעשות דבר; לא יקרה כלום.
`,
    text: (place, code) => `${code} הוא הקוד שלכם ל־Wi-Fi של ${place}.`,
  },
  zh: {
    subject: (place) => `${place} 的 Wi-Fi：请确认您的邮箱`,
    mail: ({ place, link, code, minutes }) => `您好：

请确认您的电子邮箱，以便继续使用 ${place} 的 Wi-Fi。请在 ${minutes} 分钟内打开此链接：
${link}

也可以在 Wi-Fi 页面上输入此验证码：${code}

如果这不是您的请求，请忽略此邮件。
`,
    text: (place, code) => `${code} 是您在 ${place} 使用 Wi-Fi 的验证码。`,
  },
  ja: {
    subject: (place) => `${place}のWi-Fi：アドレスの確認`,
    mail: ({ place, link, code, minutes }) => `こんにちは。

${place}のWi-Fiを引き続きご利用いただくため、メールアドレスをご確認ください。${minutes}分以内に次のリンクを開いてください。
${link}

または、Wi-Fiのページで次のコードを入力してください： ${code}

お心当たりがない場合は、何もなさる必要はありません。
`,
    text: (place, code) => `${code} は${place}のWi-Fiのコードです。`,
  },
}
