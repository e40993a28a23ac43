// A request that was refused: its status, the words of who refused it, and a code to say it in the reader's language.

export class Refused extends Error {
  constructor(status, message, code = "") {
    super(message);
    Object.assign(this, { status, code });
  }
}
