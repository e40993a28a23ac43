// A request that was refused: its status and the words of who refused it.

export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}
