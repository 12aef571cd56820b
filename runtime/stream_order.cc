// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/stream_order.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/driver.h"

namespace tritonrt::runtime {
namespace {

std::uint64_t number_of(std::uint64_t id) { return id & (kManyUses >> kUseTicketBits); }

// The process's streams by the number that uses know them by.
class Streams {
 public:
  struct Entry {
    std::weak_ptr<StreamImpl> stream;
    std::shared_ptr<EventImpl> last;  // of a stream that is gone
  };

  void add(const std::shared_ptr<StreamImpl>& stream) {
    const std::lock_guard lock(mutex_);
    if (entries_.size() >= prune_at_) prune();
    entries_[number_of(stream->id())] = {stream, nullptr};
  }

  void retire(std::uint64_t id, std::shared_ptr<EventImpl> last) {
    const std::lock_guard lock(mutex_);
    if (last == nullptr)
      entries_.erase(number_of(id));
    else
      entries_[number_of(id)] = {{}, std::move(last)};
  }

  Entry find(std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(number);
    return found != entries_.end() ? found->second : Entry();
  }

  std::vector<Entry> all() {
    std::vector<Entry> entries;
    const std::lock_guard lock(mutex_);
    for (const auto& [number, entry] : entries_) entries.push_back(entry);
    return entries;
  }

  static Streams& instance() {
    static Streams* streams = new Streams;
    return *streams;
  }

 private:
  void prune() {
    std::erase_if(entries_, [](const auto& item) {
      const Entry& entry = item.second;
      return entry.last != nullptr ? has_happened(*entry.last) : entry.stream.expired();
    });
    prune_at_ = 2 * entries_.size() + 64;
  }

  static bool has_happened(EventImpl& event) {
    try {
      return event.is_complete();
    } catch (const std::exception&) {
      return true;  // its work failed, and is over
    }
  }

  std::mutex mutex_;
  std::unordered_map<std::uint64_t, Entry> entries_;
  std::size_t prune_at_ = 64;
};

void wait_for(StreamImpl& stream, const std::shared_ptr<EventImpl>& event) {
  if (&event->device() == &stream.device())
    stream.wait(event);
  else
    stream.wait_foreign(event);
}

// Makes `stream` wait for all that another one, or one that is gone, has been given.
void follow_entry(StreamImpl& stream, const Streams::Entry& entry) {
  if (entry.last != nullptr) {
    wait_for(stream, entry.last);
    return;
  }
  const std::shared_ptr<StreamImpl> other = entry.stream.lock();
  if (other == nullptr || other.get() == &stream) return;
  if (!other->is_idle()) wait_for(stream, other->record());
}

}  // namespace

std::uint64_t merge_uses(std::uint64_t a, std::uint64_t b) {
  if (a == 0) return b;
  if (b == 0) return a;
  return same_stream(a, b) ? std::max(a, b) : kManyUses;
}

void register_stream(const std::shared_ptr<StreamImpl>& stream) { Streams::instance().add(stream); }

void retire_stream(std::uint64_t id, std::shared_ptr<EventImpl> last) {
  Streams::instance().retire(id, std::move(last));
}

bool follow_use(StreamImpl& stream, std::uint64_t use) {
  if (use == kManyUses) {
    for (const Streams::Entry& entry : Streams::instance().all()) follow_entry(stream, entry);
    return false;
  }
  const std::uint64_t number = use >> kUseTicketBits;
  const std::uint64_t ticket = use & kUseTicketMask;
  const Streams::Entry entry = Streams::instance().find(number);
  if (entry.last != nullptr) {
    if (entry.last->is_complete()) return true;
    follow_entry(stream, entry);
    return false;
  }
  const std::shared_ptr<StreamImpl> other = entry.stream.lock();
  if (other == nullptr || other->has_run(ticket)) return true;
  if (other.get() != &stream && !stream.has_followed(number, ticket)) {
    const std::uint64_t reached = other->enqueued();
    wait_for(stream, other->record());
    stream.note_followed(number, reached);
  }
  return false;
}

}  // namespace tritonrt::runtime
