// Stand-in: the class is made by a function instead of a class loader.
#pragma once
#include <memory>

#define PLUGINLIB_EXPORT_CLASS(type, base) \
    std::unique_ptr<base> make_plugin() { return std::make_unique<type>(); }
