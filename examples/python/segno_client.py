"""
A client for Segno in Python, with nothing but the standard library: it sends a message, follows the answer, approves
what is asked, and after a break goes on where it was.

    python3 examples/python/segno_client.py http://127.0.0.1:4747 "tour"

SEGNO_KEY is its key, where the server asks for one.
"""

import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid


class Segno:
    def __init__(self, url, key=None):
        self.url = url.rstrip("/")
        self.headers = {"authorization": f"Bearer {key}"} if key else {}

    def ask(self, method, path, body=None, once=None):
        """One request. A problem is raised with the sentence that the server gives for it."""
        headers = dict(self.headers)
        if body is not None:
            headers["content-type"] = "application/json"
        if once is not None:
            headers["idempotency-key"] = once
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                answer = response.read()
                return json.loads(answer) if answer else None
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["detail"]) from None

    def send(self, session, text):
        """The round that answers. However often the sending is tried, the message is taken once."""
        once = str(uuid.uuid4())
        for wait in (0.2, 0.5, 1, 2, 5, 0):
            try:
                return self.ask("POST", f"/api/sessions/{session}/messages", {"content": text}, once)["requestId"]
            except OSError:
                if wait == 0:
                    raise
                time.sleep(wait)

    def follow(self, session, round_id):
        """The frames of one round, as (event, data), to its end. A stream that breaks is taken up again, and no text
        comes twice."""
        cursor, failures, shown = None, 0, {}
        while True:
            try:
                for frame_id, event, data in self._frames(session, round_id, cursor):
                    cursor, failures = frame_id or cursor, 0
                    if event == "delta":
                        data["text"] = new_text(data, shown)
                    elif event in ("reset", "round.resumed"):
                        shown.clear()  # the text of this turn begins again
                    yield event, data
                    if event == "round.ended":
                        return
            except (OSError, http.client.HTTPException):
                failures += 1
                if failures > 20:
                    raise
            time.sleep(min(0.2 * 2**failures, 5))

    def _frames(self, session, round_id, cursor):
        path = f"/api/sessions/{session}/events?round={round_id}"
        headers = {**self.headers, "accept": "text/event-stream"}
        if cursor:
            headers["last-event-id"] = cursor
        request = urllib.request.Request(self.url + path, headers=headers)
        # Segno sends a comment every 15 seconds: a minute of silence is a broken connection.
        with urllib.request.urlopen(request, timeout=60) as stream:
            frame_id, event, data = None, "message", []
            for line in stream:
                field, _, value = line.decode().rstrip("\r\n").partition(":")
                value = value.removeprefix(" ")
                if field == "id":
                    frame_id = value
                elif field == "event":
                    event = value
                elif field == "data":
                    data.append(value)
                elif field == "" and value == "" and data:
                    yield frame_id, event, json.loads("\n".join(data))
                    frame_id, event, data = None, "message", []

    def decide(self, approval, decision):
        return self.ask("POST", f"/api/approvals/{approval}", {"decision": decision})


def new_text(delta, shown):
    """What nobody has seen yet of a delta. Offsets count UTF-16 units, as JavaScript does."""
    part = (delta["turn"], delta["kind"], delta.get("callId"))
    units = delta["text"].encode("utf-16-le")
    known = max(shown.get(part, 0) - delta["offset"], 0)
    shown[part] = max(shown.get(part, 0), delta["offset"] + len(units) // 2)
    return units[2 * known :].decode("utf-16-le")


def main(url, text):
    segno = Segno(url, os.environ.get("SEGNO_KEY"))
    session = segno.ask("POST", "/api/sessions", {"title": "From Python"})["id"]
    round_id = segno.send(session, text)
    for event, data in segno.follow(session, round_id):
        if event == "delta" and data["kind"] == "text":
            print(data["text"], end="", flush=True)
        elif event == "tool.result":
            print(f"\n[{data['data']['outcome']}]")
        elif event == "round.resumed":
            print("\n[goes on]")
        elif event == "approval.requested":
            asked = data["data"]
            print(f"\n[{asked['tool']} asks: {asked['target']}] approved")
            segno.decide(asked["approvalId"], "approve")
        elif event == "round.ended":
            print(f"\n[{data['data']['finishReason']}]")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
