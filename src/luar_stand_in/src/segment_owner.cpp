// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
//
// Owns shared-memory segments as Luar's processes do: by Boost.Interprocess itself, named arrays of
// doubles, found (under Boost's lock), resized by destroying and constructing, and written without
// a lock. What to do comes as requests on standard input; the caller is luar_bridge's stand_in.py.
//
// A request is: u8 operation, u8 0, u16 length of the segment's name, u16 length of the variable's
// name, u16 0, u64 argument, u32 length of the data, u32 0, then both names and the data; all little
// endian. Each 'Q' is answered with the line "done"; a failure with "error: <why>" and exit code 1.
//
//   C  open or create a segment of <argument> bytes
//   S  set a variable to the data's doubles          B  set a c array to the data's bytes
//   U  remove the segment's name (shm_unlink); it stays mapped here
//   T  truncate the segment's file to <argument> bytes
//   P  set a c array, but stand still for <argument> ms in the middle
//   X  write half of a c array and die               L  die inside Boost, holding its lock
//   W  busy writer: images at <argument> a second until the end of input or a next request
//   Q  answer when everything before is done

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <boost/interprocess/managed_shared_memory.hpp>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace ipc = boost::interprocess;

namespace
{

struct Header
{
  std::uint8_t operation;
  std::uint8_t zero;
  std::uint16_t segment_length;
  std::uint16_t variable_length;
  std::uint16_t zero2;
  std::uint64_t argument;
  std::uint32_t data_length;
  std::uint32_t zero3;
};
static_assert(sizeof(Header) == 24, "the header has no padding");

// Standard input, many requests at a time: those that belong together are carried out in a few
// microseconds, as a process does that writes through pointers.
class Input
{
public:
  bool read(void * target, std::size_t length)
  {
    auto * at = static_cast<char *>(target);
    while (length > 0) {
      if (begin_ == end_ && !fill()) {
        return false;
      }
      const std::size_t some = std::min(length, end_ - begin_);
      std::memcpy(at, buffer_.data() + begin_, some);
      begin_ += some;
      at += some;
      length -= some;
    }
    return true;
  }

  bool waits() const
  {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    return begin_ != end_ || ::poll(&input, 1, 0) != 0;
  }

private:
  bool fill()
  {
    const ssize_t got = ::read(STDIN_FILENO, buffer_.data(), buffer_.size());
    begin_ = 0;
    end_ = got > 0 ? static_cast<std::size_t>(got) : 0;
    return end_ != 0;
  }

  std::vector<char> buffer_ = std::vector<char>(1 << 18);
  std::size_t begin_ = 0, end_ = 0;
};

class Owner
{
public:
  void create(const std::string & name, std::size_t size)
  {
    // A segment that exists keeps its size, as in the original.
    segments_[name] = std::make_unique<ipc::managed_shared_memory>(
      ipc::open_or_create, name.c_str(), size, nullptr,
      ipc::permissions(0644));
  }

  // Returns the variable's place, after making it as long as is wanted.
  double * place(const std::string & segment, const std::string & variable, std::size_t length)
  {
    auto & memory = at(segment);
    auto found = memory.find<double>(variable.c_str());
    if (found.first != nullptr && found.second != length) {
      memory.destroy_ptr(found.first);
      found.first = nullptr;
    }
    if (found.first == nullptr) {
      return memory.construct<double>(variable.c_str())[length](0.0);
    }
    return found.first;
  }

  void set(const std::string & segment, const std::string & variable, const std::vector<char> & data)
  {
    double * target = place(segment, variable, (data.size() + 7) / 8);
    std::memcpy(target, data.data(), data.size());
  }

  ipc::managed_shared_memory & at(const std::string & name)
  {
    const auto found = segments_.find(name);
    if (found == segments_.end()) {
      throw std::runtime_error("segment " + name + " has not been created");
    }
    return *found->second;
  }

private:
  std::map<std::string, std::unique_ptr<ipc::managed_shared_memory>> segments_;
};

void pause(std::uint64_t milliseconds)
{
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

double unix_time()
{
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

// Images in the order of the original: pixels, labels, and the count at the end. Every part of a
// frame tells the frame's number, so that a torn image is seen by its reader.
void write_busily(
  Owner & owner, const Input & input, const std::string & segment, std::uint64_t rate)
{
  const std::size_t width = 160, height = 120;
  std::vector<std::uint32_t> yuyv(width * height / 2);
  std::vector<char> label_a(width * height / 4), label_b(width * height / 64);
  const auto as_bytes = [](const void * data, std::size_t size) {
      const char * begin = static_cast<const char *>(data);
      return std::vector<char>(begin, begin + size);
    };
  const auto number = [&](const char * name, double value) {
      owner.set(segment, name, as_bytes(&value, sizeof value));
    };
  number("width", width);
  number("height", height);
  number("select", 0);
  const auto period = std::chrono::nanoseconds(1000000000 / rate);
  for (std::uint32_t count = 1; !input.waits(); ++count) {
    std::fill(yuyv.begin(), yuyv.end(), count);
    const char label = static_cast<char>(count % 31 + 1);
    std::fill(label_a.begin(), label_a.end(), label);
    std::fill(label_b.begin(), label_b.end(), label);
    owner.set(segment, "yuyv", as_bytes(yuyv.data(), 4 * yuyv.size()));
    owner.set(segment, "labelA", label_a);
    owner.set(segment, "labelB", label_b);
    number("count", count);
    number("time", unix_time());
    std::this_thread::sleep_for(period);
  }
}

void carry_out(
  Owner & owner, const Input & input, const Header & header, const std::string & segment,
  const std::string & variable, const std::vector<char> & data)
{
  switch (header.operation) {
    case 'C':
      owner.create(segment, header.argument);
      break;
    case 'S':
    case 'B':
      owner.set(segment, variable, data);
      break;
    case 'U':
      ipc::shared_memory_object::remove(segment.c_str());
      break;
    case 'T': {
        const int file = ::shm_open(("/" + segment).c_str(), O_RDWR, 0);
        if (file < 0 || ::ftruncate(file, static_cast<off_t>(header.argument)) != 0) {
          throw std::runtime_error("cannot truncate " + segment);
        }
        ::close(file);
        break;
      }
    case 'P':
    case 'X': {
        double * target = owner.place(segment, variable, (data.size() + 7) / 8);
        const std::size_t half = data.size() / 2;
        std::memcpy(target, data.data(), half);
        if (header.operation == 'X') {
          ::raise(SIGKILL);
        }
        pause(header.argument);
        std::memcpy(reinterpret_cast<char *>(target) + half, data.data() + half, data.size() - half);
        break;
      }
    case 'L': {
        auto die = [] {::raise(SIGKILL);};
        owner.at(segment).atomic_func(die);
        break;
      }
    case 'W':
      write_busily(owner, input, segment, header.argument);
      break;
    case 'Q':
      std::cout << "done" << std::endl;
      break;
    default:
      throw std::runtime_error("unknown operation");
  }
}

}  // namespace

int main()
{
  // Its owner stops it by closing the input; Ctrl-C in a terminal reaches the whole group.
  ::signal(SIGINT, SIG_IGN);
  Owner owner;
  Input input;
  Header header;
  while (input.read(&header, sizeof header)) {
    std::string segment(header.segment_length, '\0'), variable(header.variable_length, '\0');
    std::vector<char> data(header.data_length);
    if (!input.read(segment.data(), segment.size()) ||
      !input.read(variable.data(), variable.size()) || !input.read(data.data(), data.size()))
    {
      break;
    }
    try {
      carry_out(owner, input, header, segment, variable, data);
    } catch (const std::exception & error) {
      std::cout << "error: " << error.what() << std::endl;
      return 1;
    }
  }
  return 0;
}
