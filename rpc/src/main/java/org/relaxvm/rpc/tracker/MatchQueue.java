package org.relaxvm.rpc.tracker;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Predicate;

/**
 * Offers of servers and requests of clients, by key: the request of the highest priority comes
 * first, then the oldest; offers in their order. Used under the tracker's lock.
 */
final class MatchQueue {
  /** A server that waits for one client. */
  record Offer(Object owner, String host, long port, String matchKey) {}

  /** A client that waits for a server. */
  record Request(Object owner, long priority, long number, Predicate<Offer> deliver) {}

  private static final class Entry {
    final ArrayDeque<Offer> offers = new ArrayDeque<>();
    final PriorityQueue<Request> requests =
        new PriorityQueue<>(
            Comparator.comparingLong((Request request) -> -request.priority())
                .thenComparingLong(Request::number));
  }

  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final int limit;
  private long nextNumber;
  private int size;

  /**
   * An empty queue.
   *
   * @param limit the most offers and requests together, and the most keys
   */
  MatchQueue(int limit) {
    this.limit = limit;
  }

  boolean isFull() {
    return size >= limit || entries.size() >= limit;
  }

  private Entry entry(String key) {
    return entries.computeIfAbsent(key, _ -> new Entry());
  }

  void offer(String key, Offer offer) {
    entry(key).offers.add(offer);
    size++;
    match(key);
  }

  /**
   * Adds a request.
   *
   * @param deliver gives the client its server; false when the client is gone
   */
  void request(String key, Object owner, long priority, Predicate<Offer> deliver) {
    entry(key).requests.add(new Request(owner, priority, nextNumber++, deliver));
    size++;
    match(key);
  }

  /** What cannot be delivered goes back to the end. */
  private void match(String key) {
    Entry entry = entry(key);
    while (!entry.offers.isEmpty() && !entry.requests.isEmpty()) {
      Offer offer = entry.offers.remove();
      Request request = entry.requests.remove();
      size--;
      if (request.deliver().test(offer)) {
        size--;
      } else {
        entry.offers.add(offer);
      }
    }
  }

  /** Removes the requests of a connection that ended, and its offers if it may take them along. */
  void remove(Object owner, boolean offersToo) {
    for (Entry entry : entries.values()) {
      int before = entry.offers.size() + entry.requests.size();
      entry.requests.removeIf(request -> request.owner().equals(owner));
      if (offersToo) {
        entry.offers.removeIf(offer -> offer.owner().equals(owner));
      }
      size -= before - entry.offers.size() - entry.requests.size();
    }
  }

  /** The match keys of a connection that nobody took yet. */
  List<String> pending(Object owner) {
    List<String> keys = new ArrayList<>();
    for (Entry entry : entries.values()) {
      for (Offer offer : entry.offers) {
        if (offer.owner().equals(owner)) {
          keys.add(offer.matchKey());
        }
      }
    }
    return keys;
  }

  /** How many offers and requests each key has. */
  Map<String, Map<String, Object>> summary() {
    Map<String, Map<String, Object>> counts = new LinkedHashMap<>();
    entries.forEach(
        (key, entry) -> {
          Map<String, Object> of = new LinkedHashMap<>();
          of.put("free", entry.offers.size());
          of.put("pending", entry.requests.size());
          counts.put(key, of);
        });
    return counts;
  }
}
