import type { LanguageSet } from './language-set.ts'

export const german: LanguageSet = {
  messages: `
    Gestern habe ich im Café meinen alten Schulfreund Jonas getroffen.
    Was für ein Zufall! Worüber habt ihr gesprochen?
    Er zieht nächsten Monat nach Leipzig, weil er dort eine neue Stelle hat.
    Leipzig ist schön, besuch ihn doch mal.
    Im Mai will ich mit dem Zug hinfahren.
    Buch die Fahrkarte am besten zwei Wochen vorher.
    Meine Schwester lernt seit letzter Woche Geige.
    Hat sie nicht früher Klavier gespielt?
    Ja, aber das Klavier war beim Umzug zu schwer.
    Wann zieht ihr denn um?
    Der Vermieter sagt, der Vertrag läuft bis Ende September.
    Habt ihr schon eine neue Wohnung?
    Uns gefällt eine Wohnung neben dem Botanischen Garten.
    Da kann man morgens gut laufen.
    Mein Knie tut weh, der Arzt hat mir Schwimmen empfohlen.
    Bei welchem Arzt bist du?
    Bei Doktor Brandt in der Uniklinik, er ist sehr geduldig.
    Danke, ich lasse mir einen Termin geben.
    Unsere Katze heißt Mimi und ist im Juni drei geworden.
    Ist Mimi immer noch so dick?
    Ja, die Tierärztin rät zu Diätfutter.
    Du verträgst doch keine Erdnüsse, oder?
    Stimmt, ich bin allergisch und lese immer die Zutaten.
    Wollen wir am Wochenende zur Keramikausstellung gehen?
    Wo findet sie statt?
    Im Landesmuseum im dritten Stock, der Eintritt kostet acht Euro.
    Am liebsten mag ich das blaue Porzellan aus Meißen.
    Es sollen über zweihundert Stücke zu sehen sein.
    Mein Vater angelt, seit er in Rente ist.
    Wohin geht er zum Angeln?
    Jeden Samstag an den Stausee im Norden.
    Mein Großvater hat mir eine alte Armbanduhr geschenkt.
    Geht sie noch?
    Der Uhrmacher meint, sie braucht nur eine neue Batterie.
    Ich hatte mein Passwort vergessen, das Zurücksetzen dauerte eine Stunde.
    Nimm lieber einen Passwortmanager.
    Im nächsten Quartal führen wir ein neues Bezahlsystem ein.
    Für welchen Teil bist du zuständig?
    Für die Rückerstattungen, der Fehlercode ist ERR-7731.
    Das lag letztes Mal an einer Zeitüberschreitung.
    Wir haben das Limit auf dreißig Sekunden erhöht.
    Abends besuche ich einen Spanischkurs.
    Warum gerade Spanisch?
    Weil ich nächstes Jahr in Mexiko die Pyramiden sehen möchte.
    Toll! Brauchst du dafür ein Visum?
    Nein, aber einen gültigen Reisepass.
    Meine Freundin isst vegetarisch, deshalb gehen wir oft ins Tofuhaus.
    Was schmeckt dort am besten?
    Die Nudeln mit Räuchertofu und Erdnusssoße, die ich leider nicht essen darf.
    Nächstes Mal lade ich euch ein.`,
  questions: [
    ['Wohin zieht Jonas nächsten Monat?', 'Leipzig, weil'],
    ['Wer lernt Geige?', 'Geige'],
    ['Bis wann läuft der Vertrag mit dem Vermieter?', 'Vertrag'],
    ['Neben welchem Garten liegt die Wohnung?', 'Botanischen Garten'],
    ['Was hat der Arzt für das Knie empfohlen?', 'Schwimmen'],
    ['Wie heißt der Doktor in der Uniklinik?', 'Brandt'],
    ['Wie heißt die Katze?', 'heißt Mimi'],
    ['Wozu rät die Tierärztin?', 'Diätfutter'],
    ['Wer verträgt keine Erdnüsse?', 'Erdnüsse'],
    ['Was kostet der Eintritt im Landesmuseum?', 'acht Euro'],
    ['Woher kommt das blaue Porzellan?', 'Meißen'],
    ['Was macht der Vater in der Rente?', 'angelt'],
    ['An welchem Tag fährt er an den Stausee?', 'Stausee'],
    ['Wer hat mir die Armbanduhr geschenkt?', 'Großvater'],
    ['Wie lange dauerte das Zurücksetzen des Passworts?', 'Zurücksetzen'],
    ['Wann führen wir das Bezahlsystem ein?', 'Bezahlsystem'],
    ['Welcher Fehlercode gehört zu den Rückerstattungen?', 'ERR-7731'],
    ['Auf wie viele Sekunden wurde das Limit erhöht?', 'dreißig Sekunden'],
    ['Warum fliege ich nach Mexiko?', 'Pyramiden'],
    ['Welche Nudeln schmecken mit Räuchertofu?', 'Räuchertofu'],
  ],
}
