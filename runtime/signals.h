// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_SIGNALS_H_
#define TRITONRT_RUNTIME_SIGNALS_H_

#include <pthread.h>
#include <signal.h>

namespace tritonrt::runtime {

// Signals are the application's: its handlers must not run on our threads, which inherit the mask
// of the thread that starts them.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &old_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t old_;
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_SIGNALS_H_
