package org.relaxvm.rpc.tracker;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Offers of servers and requests of clients, by key: the request of the highest priority comes
 * first, then the oldest; offers in their order. Used under the tracker's lock.
 */
final class MatchQueue {
  /** A server that waits for one client. */
  record Offer(Object owner, String host, long port, String matchKey) {}

  /** A client that waits for a server. */
  record Request(Object owner, long priority, long number, Consumer<Offer> deliver) {}

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

  /** The entry to which one more can be added; null when the queue is full. */
  private @Nullable Entry room(String key) {
    if (entries.size() >= limit) {
      // Keys that are not used stay only for the summary.
      entries.values().removeIf(entry -> entry.offers.isEmpty() && entry.requests.isEmpty());
    }
    return size < limit ? entries.computeIfAbsent(key, _ -> new Entry()) : null;
  }

  /** Adds an offer; false when the queue is full. */
  boolean offer(String key, Offer offer) {
    Entry entry = room(key);
    if (entry == null) {
      return false;
    }
    entry.offers.add(offer);
    size++;
    match(entry);
    return true;
  }

  /**
   * Adds a request; false when the queue is full.
   *
   * @param deliver gives the client its server, later and elsewhere
   */
  boolean request(String key, Object owner, long priority, Consumer<Offer> deliver) {
    Entry entry = room(key);
    if (entry == null) {
      return false;
    }
    entry.requests.add(new Request(owner, priority, nextNumber++, deliver));
    size++;
    match(entry);
    return true;
  }

  private void match(Entry entry) {
    while (!entry.offers.isEmpty() && !entry.requests.isEmpty()) {
      size -= 2;
      entry.requests.remove().deliver().accept(entry.offers.remove());
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
