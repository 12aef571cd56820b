// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Memory and threads shared with the application: DLPack, host mirrors, executors.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

#include "tests/unit/api/fixture.h"

// As DLPack's specification lays it out.
struct DLManagedTensor {
  void* data;
  std::int32_t device_type, device_id;
  std::int32_t ndim;
  std::uint8_t code, bits;
  std::uint16_t lanes;
  std::int64_t* shape;
  std::int64_t* strides;
  std::uint64_t byte_offset;
  void* manager_ctx;
  void (*deleter)(DLManagedTensor*);
};

namespace tritonrt {
namespace {

class SharingTest : public OnDevice {};

TEST_F(ApiTest, DlpackTensorsComeInWithoutACopyAndGoWithTheirWork) {
  std::vector<float> x(600, 1.0f), out(600, 0.0f);
  std::int64_t shape[] = {2, 300};
  static int deleted = 0;
  deleted = 0;
  const auto tensor = [&](std::vector<float>& data) {
    auto* t = new DLManagedTensor{};
    t->data = data.data();
    t->device_type = 1;
    t->ndim = 2;
    t->code = 2;
    t->bits = 32;
    t->lanes = 1;
    t->shape = shape;
    t->deleter = [](DLManagedTensor* self) {
      ++deleted;
      delete self;
    };
    return t;
  };
  Stream stream(cpu_);
  {
    const Tensor a = from_dlpack(tensor(x), cpu_);
    const Tensor o = from_dlpack(tensor(out), cpu_);
    EXPECT_EQ(a.dtype, DType::kF32);
    EXPECT_EQ(a.shape, (std::vector<std::int64_t>{2, 300}));
    EXPECT_EQ(a.strides, (std::vector<std::int64_t>{300, 1}));
    kernel("add").launch(stream, {3}, a.arg(), a.arg(), o.arg(), 600);
    EXPECT_EQ(deleted, 0);
  }
  stream.synchronize();
  EXPECT_EQ(deleted, 2);
  EXPECT_EQ(out[599], 2.0f);
  DLManagedTensor* strange = tensor(x);
  strange->code = 5;  // complex
  const Error complex = error_of([&] { from_dlpack(strange, cpu_); });
  EXPECT_EQ(complex.code(), ErrorCode::kUnsupported);
  EXPECT_EQ(complex.message(), "kernels have no type with DLPack's code 5, 32 bits and 1 lanes");
  EXPECT_EQ(deleted, 3);
  DLManagedTensor* elsewhere = tensor(x);
  elsewhere->device_type = 2;
  EXPECT_EQ(error_of([&] { from_dlpack(elsewhere, cpu_); }).code(), ErrorCode::kUnsupported);
  const auto message = [&](auto change) {
    DLManagedTensor* wrong = tensor(x);
    change(*wrong);
    return error_of([&] { from_dlpack(wrong, cpu_); }).message();
  };
  EXPECT_EQ(message([](DLManagedTensor& wrong) { wrong.ndim = -1; }),
            "the tensor has the rank -1, expected 0 or more");
  std::int64_t sizes[2] = {-1, 2}, strides[2] = {1, 1};
  EXPECT_EQ(message([&](DLManagedTensor& wrong) { wrong.shape = sizes; }),
            "dimension 0 of the tensor has the extent -1 and the stride 2, expected none below 0");
  const char* const beyond = "the tensor's shape and strides reach beyond 64 bits";
  sizes[0] = sizes[1] = std::int64_t{1} << 62;
  EXPECT_EQ(message([&](DLManagedTensor& wrong) { wrong.shape = sizes; }), beyond);
  sizes[0] = 4;
  EXPECT_EQ(message([&](DLManagedTensor& wrong) { wrong.shape = sizes; }), beyond);
  EXPECT_EQ(message([&](DLManagedTensor& wrong) {
              wrong.shape = sizes;
              wrong.strides = strides;
            }),
            beyond);
  EXPECT_EQ(error_of([&] { from_dlpack(nullptr, cpu_); }).message(), "the tensor is null");
}

TEST_P(SharingTest, DlpackTensorsGoOutAndComeBack) {
  std::vector<std::int32_t> values(64);
  std::iota(values.begin(), values.end(), 0);
  DLManagedTensor* out = nullptr;
  {
    Tensor tensor;
    tensor.buffer = Buffer::from_host(device_, values.data(), 256);
    tensor.offset = 16;
    tensor.dtype = DType::kI32;
    tensor.shape = {5, 4};
    tensor.strides = {8, 1};
    out = to_dlpack(tensor);
    tensor.shape = {8, 8};
    EXPECT_NE(error_of([&] { to_dlpack(tensor); }).message().find("lie outside a buffer of"),
              std::string::npos);
    tensor.strides = {1};
    EXPECT_EQ(error_of([&] { to_dlpack(tensor); }).message(),
              "the tensor has 2 extents and 1 strides, expected one of each for a dimension");
    tensor.strides = {8, 1};
    tensor.dtype = DType::kUnknown;
    EXPECT_NE(error_of([&] { to_dlpack(tensor); }).message().find("set Tensor::dtype"),
              std::string::npos);
  }
  EXPECT_EQ(out->ndim, 2);
  EXPECT_EQ(out->strides[0], 8);
  EXPECT_EQ(out->device_type, std::string(GetParam()) == "cpu" ? 1 : 4);
  const Tensor back = from_dlpack(out, device_);
  std::int32_t got[2];
  back.buffer.copy_to_host(got, 8, back.offset);
  EXPECT_EQ(got[0], 4);
  EXPECT_EQ(got[1], 5);
  EXPECT_EQ(back.shape[0], 5);
}

TEST_P(SharingTest, AMirrorMovesOnlyWhatIsStale) {
  const bool moves = std::string(GetParam()) != "cpu";
  Stream stream(device_);
  Buffer buffer(device_, 4096);
  HostMirror mirror(buffer);
  EXPECT_EQ(error_of([&] { HostMirror second(buffer); }).message(),
            "the buffer has a mirror, or is a slice of another buffer; mirror the whole buffer, "
            "once");
  // The whole is new on the host; nothing was fetched for it.
  auto* values = static_cast<std::int32_t*>(mirror.write(0, HostMirror::kAll, true));
  std::iota(values, values + 1024, 0);
  EXPECT_EQ(mirror.fetched_bytes(), 0u);
  // The launch sees it, and overwrites four elements of a part.
  kernel("store").launch(stream, {4}, Arg(buffer, 400), 1000, 0, 0);
  const auto* seen = static_cast<const std::int32_t*>(mirror.read(0, 1024));
  EXPECT_EQ(seen[99], 99);
  EXPECT_EQ(seen[100], 1000);
  EXPECT_EQ(seen[103], 1003);
  EXPECT_EQ(seen[104], 104);
  EXPECT_EQ(mirror.sent_bytes(), moves ? 4096u : 0u);
  EXPECT_EQ(mirror.fetched_bytes(), moves ? 1024u : 0u);
  mirror.read(0, 1024);
  EXPECT_EQ(mirror.fetched_bytes(), moves ? 1024u : 0u);
  // Two elements of the host go alone.
  static_cast<std::int32_t*>(mirror.write(8, 8))[0] = -5;
  std::int32_t got[4];
  buffer.slice(0, 16).copy_to_host(stream, got, 16);
  stream.synchronize();
  EXPECT_EQ(got[1], 1);
  EXPECT_EQ(got[2], -5);
  EXPECT_EQ(got[3], 3);
  EXPECT_EQ(mirror.sent_bytes(), moves ? 4104u : 0u);
  // Blocking copies see it as well, and make it stale.
  static_cast<std::int32_t*>(mirror.write(0, 4))[0] = 77;
  buffer.copy_to_host(got, 4);
  EXPECT_EQ(got[0], 77);
  const std::int32_t eight = 8;
  buffer.copy_from_host(&eight, 4);
  EXPECT_EQ(*static_cast<const std::int32_t*>(mirror.read(0, 4)), 8);
  EXPECT_THROW(mirror.read(4090, 10), Error);
}

INSTANTIATE_TEST_SUITE_P(Devices, SharingTest, ::testing::Values("cpu", "opencl"),
                         [](const auto& info) { return std::string(info.param); });

TEST_F(ApiTest, WrappedMemoryIsReleasedAfterItsWork) {
  std::vector<std::int32_t> memory(4, 0);
  bool released = false;
  Stream stream(cpu_);
  Buffer flag(cpu_, 64);
  flag.fill("\0", 1, 64);
  {
    Buffer out = Buffer::wrap_host(cpu_, memory.data(), 16, [&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      released = true;
    });
    kernel("gated").launch(stream, {1}, flag, out);
  }
  EXPECT_FALSE(released);
  __atomic_store_n(flag.host_data_as<int>(), 1, __ATOMIC_RELEASE);
  stream.synchronize();
  EXPECT_TRUE(released);
  EXPECT_EQ(memory[0], 1);
}

// Two threads that call what they are given, as an application's own pool would.
class TwoThreads final : public Executor {
 public:
  TwoThreads() {
    for (std::thread& thread : threads_) thread = std::thread([this] { run(); });
  }
  ~TwoThreads() override {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  unsigned concurrency() const override { return 2; }
  void submit(unsigned threads, std::function<void()> work) override {
    ++submitted;
    {
      const std::lock_guard lock(mutex_);
      for (unsigned i = 0; i < threads; ++i) queue_.push_back(work);
    }
    wake_.notify_all();
  }

  std::atomic<int> submitted{0};
  std::atomic<int> called{0};

 private:
  void run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
      if (queue_.empty()) return;
      const std::function<void()> work = std::move(queue_.front());
      queue_.pop_front();
      lock.unlock();
      work();
      ++called;
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> queue_;
  bool stopping_ = false;
  std::thread threads_[2];
};

// Restores the default, whatever happens.
class ExecutorTest : public ApiTest {
 protected:
  ExecutorTest() : before_(cpu_options()) {
    CpuOptions options = before_;
    options.threads = 4;
    set_cpu_options(options);
  }
  ~ExecutorTest() override {
    set_executor(nullptr);
    set_cpu_options(before_);
  }
  void run_launches() {
    Stream stream(cpu_);
    Buffer counter(cpu_, 8);
    counter.fill("\0", 1, 8);
    Buffer out(cpu_, 100000 * 4);
    for (int i = 0; i < 5; ++i) {
      kernel("slow").launch(stream, {4}, counter);
      kernel("store").launch(stream, {100000}, out, i, 0, 0);
    }
    stream.synchronize();
    EXPECT_EQ(*counter.host_data_as<std::int64_t>(), 20);
    EXPECT_EQ(out.host_data_as<int>()[99999], 99999 + 4);
    // Programs that wait for earlier ones have them on some thread.
    Buffer turn(cpu_, 8);
    turn.fill("\0", 1, 8);
    kernel("chain").launch(stream, {50}, turn);
    stream.synchronize();
    EXPECT_EQ(*turn.host_data_as<std::int64_t>(), 50);
  }
  const CpuOptions before_;
};

TEST_F(ExecutorTest, LaunchesRunOnTheApplicationsThreads) {
  const auto threads = std::make_shared<TwoThreads>();
  set_executor(threads);
  run_launches();
  EXPECT_GE(threads->submitted, 10);
  set_executor(nullptr);
  const int before = threads->submitted;
  run_launches();
  EXPECT_EQ(threads->submitted, before);
}

TEST_F(ExecutorTest, AWaitingThreadDoesTheWorkOfAnExecutorThatNeverComes) {
  class Lazy final : public Executor {
   public:
    unsigned concurrency() const override { return 8; }
    void submit(unsigned, std::function<void()> work) override {
      const std::lock_guard lock(mutex_);
      kept_.push_back(std::move(work));
    }
    // Late calls find nothing to do.
    void call_all() {
      for (const auto& work : kept_) work();
    }

   private:
    std::mutex mutex_;
    std::vector<std::function<void()>> kept_;
  };
  const auto lazy = std::make_shared<Lazy>();
  set_executor(lazy);
  run_launches();
  set_executor(nullptr);
  lazy->call_all();
}

TEST_F(ExecutorTest, ManyStreamsAndThreads) {
  set_executor(std::make_shared<TwoThreads>());
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i) callers.emplace_back([this] { run_launches(); });
  for (std::thread& caller : callers) caller.join();
}

}  // namespace
}  // namespace tritonrt
